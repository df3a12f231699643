import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { installPacked, readmeSnippets } from './packing.mjs'

/**
 * What the server has below /packed/: the installed library as it is, and for
 * each snippet of its README a page that runs it with no build step: an import
 * map as its `exports` say, and the snippet without its types.
 *
 * @param {string} root the folder sandbox/
 * @returns {Promise<{ files: Map<string, string | Buffer>, remove(): void }>}
 */
export async function servePacked(root) {
  const project = installPacked(root)
  const { folder, library } = project
  /** @type {Map<string, string | Buffer>} */
  const files = new Map()
  for (const entry of readdirSync(join(library, 'dist'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files.set(`/packed/library${path.slice(library.length)}`, readFileSync(path))
  }
  const { name, exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  /** @type {Record<string, string>} */
  const imports = {}
  for (const [key, entry] of Object.entries(exports)) {
    const file = typeof entry === 'string' ? entry : entry.default
    imports[name + key.slice(1)] = `/packed/library${file.slice(1)}`
  }
  const snippets = readmeSnippets(project)
  for (const snippet of snippets) {
    const { code } = await transform(snippet.text, { loader: snippet.kind === 'tsx' ? 'tsx' : 'ts' })
    files.set(`/packed/${snippet.name}.js`, code)
    files.set(
      `/packed/${snippet.name}.html`,
      `<!doctype html><meta charset="utf-8"><title>${snippet.name}</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="/bundle/snippet.js"></script>`,
    )
  }
  files.set('/packed/snippets.json', JSON.stringify(snippets.map((snippet) => snippet.name)))
  return { files, remove: () => rmSync(folder, { recursive: true }) }
}
