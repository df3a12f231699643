import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const NAME = '@faustine-ai/browser-sandbox'

// An import of another package, in a file that esbuild has minified.
const bareImport = /\b(?:from|import)\s*"(?!\.)/

/**
 * Bundles every browser test on its own. The library is left out of the
 * bundles: the pages load the built files of dist/, as a user's page does. An
 * adapter that imports other packages is bundled with them, as a user does it;
 * what it imports of the library still stays out.
 *
 * @param {string} root the folder sandbox/
 * @returns {Promise<Map<string, Uint8Array>>} file name → JavaScript
 */
export async function bundleTests(root) {
  const folder = join(root, 'test/browser')
  const tests = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const result = await build({
    entryPoints: [
      ...tests.map((name) => join(folder, name)),
      ...readdirSync(join(root, 'test/page'))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(root, 'test/page', name)),
    ],
    outdir: '/out',
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'esnext',
    sourcemap: 'inline',
    jsx: 'automatic',
    write: false,
    logLevel: 'error',
    plugins: [
      {
        // `docs:recipes.md/card.ts` is the block of that page whose first line names that file.
        name: 'snippets-of-the-docs',
        setup(plugin) {
          plugin.onResolve({ filter: /^docs:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'docs' }))
          plugin.onLoad({ filter: /.*/, namespace: 'docs' }, ({ path }) => {
            const [page, file] = path.split('/')
            const text = readFileSync(join(root, 'docs', page), 'utf8')
            const block = text.split(/^```tsx?\n/m).find((each) => each.startsWith(`// ${file}\n`))
            if (!block)
              throw new Error(`expected docs/${page} to have a block that begins with “// ${file}”; it has none`)
            return { contents: block.split(/^```$/m)[0], loader: 'tsx', resolveDir: root }
          })
        },
      },
      {
        name: 'built-library',
        setup(plugin) {
          plugin.onResolve({ filter: new RegExp(`^${NAME}(/|$)`) }, ({ path }) => {
            const built = builtFile(exports, `.${path.slice(NAME.length)}`)
            const whole = join(root, built)
            return bareImport.test(readFileSync(whole, 'utf8')) ? { path: whole } : { path: built, external: true }
          })
          plugin.onResolve({ filter: /^\.\// }, ({ path, resolveDir }) =>
            resolveDir === join(root, 'dist') ? { path: `/dist/${path.slice(2)}`, external: true } : undefined,
          )
        },
      },
    ],
  })
  return new Map(result.outputFiles.map((file) => [file.path.split('/').pop() ?? '', file.contents]))
}

/** @param {Record<string, any>} exports @param {string} key @returns {string} the address of a built file */
function builtFile(exports, key) {
  const entry = exports[key]
  const file = typeof entry === 'string' ? entry : (entry?.import ?? entry?.default)
  if (typeof file !== 'string') {
    throw new Error(`expected package.json to export ${key} as a built file; it exports ${JSON.stringify(entry)}`)
  }
  return file.replace(/^\.\//, '/')
}
