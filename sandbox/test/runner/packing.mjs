import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @typedef {{ name: string, line: number, kind: string, text: string }} Snippet */

/**
 * Packs the library as it would be published and installs the tarball in a new
 * project of its own, without a registry.
 *
 * @param {string} root the folder sandbox/, built with its types
 * @returns {{ folder: string, library: string }} the project, and the installed library in it
 */
export function installPacked(root) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-packed-'))
  const npm = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
    execFileSync('npm', [...args, '--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, npm_config_cache: join(folder, 'cache') },
    })
  npm(root, 'pack', '--pack-destination', folder)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new Error(`expected npm pack to leave a tarball in ${folder}; it left none`)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'scratch', private: true, type: 'module' }))
  npm(folder, 'install', `./${tarball}`)
  return { folder, library: join(folder, 'node_modules/@faustine-ai/browser-sandbox') }
}

/**
 * The ts, tsx and js blocks of the README that came with the tarball, each
 * written into the project as a module.
 *
 * @param {{ folder: string, library: string }} project
 * @returns {Snippet[]}
 */
export function readmeSnippets({ folder, library }) {
  const readme = readFileSync(join(library, 'README.md'), 'utf8')
  mkdirSync(join(folder, 'src'))
  return [...readme.matchAll(/^```(ts|tsx|js)\n([\s\S]*?)^```$/gm)].map((match, i) => {
    const [, kind = '', text = ''] = match
    const name = `readme-${i + 1}.${kind}`
    writeFileSync(join(folder, 'src', name), text)
    return { name, kind, text, line: readme.slice(0, match.index).split('\n').length + 1 }
  })
}
