// Puts the bill of materials of the Go program and what the lock file of its page
// has into one, in CycloneDX 1.6, without what differs from one making to the next.
//
// The page's part is read from the lock file: npm's own “npm sbom --omit dev” leaves
// React out, which a linked package of ours also wants for its tests.
//
// node sbom.mjs VERSION DATE GO.json package-lock.json >countersign.cdx.json    DATE: seconds since 1970
import { readFileSync } from 'node:fs'

const [version, date, goFile, lockFile] = process.argv.slice(2)
if (!lockFile) {
  console.error('expected: sbom.mjs VERSION DATE GO.json package-lock.json')
  process.exit(2)
}
const go = JSON.parse(readFileSync(goFile ?? '', 'utf8'))
const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'))
const own = `pkg:golang/github.com/faustine-ai/countersign@${version}`

/** @type {any[]} */
const components = []
/** @type {Map<string, string[]>} */
const dependencies = new Map()

// Go: hashes are kept; where a file lay is not.
const root = go.metadata.component['bom-ref']
const ref = (/** @type {string} */ name) => (name === root ? own : name)
for (const { properties, evidence, ...kept } of go.components ?? []) components.push(kept)
for (const { ref: of, dependsOn = [] } of go.dependencies ?? []) dependencies.set(ref(of), dependsOn.map(ref))

// npm: what is installed for more than building and tests.
const nameOf = (/** @type {string} */ path) => path.slice(path.lastIndexOf('node_modules/') + 13)
const purlOf = (/** @type {string} */ path) => `pkg:npm/${nameOf(path).replace('@', '%40')}@${packages[path].version}`
const isShipped = (/** @type {string} */ path) =>
  path.includes('node_modules/') && packages[path] && !packages[path].dev && !packages[path].link
/** Where Node finds a package from another: beside it, or in a folder above. */
const find = (/** @type {string} */ from, /** @type {string} */ name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}
const wantedBy = (/** @type {string} */ path) => {
  const { dependencies: wants = {}, optionalDependencies: may = {}, peerDependencies: peers = {} } = packages[path]
  const found = Object.keys({ ...wants, ...may, ...peers }).map((name) => find(path, name))
  return [...new Set(found.filter((to) => to !== undefined && isShipped(to)).map((to) => purlOf(/** @type {string} */ (to))))]
}
for (const path of Object.keys(packages).filter(isShipped)) {
  const { integrity = '', license } = packages[path]
  components.push({
    'bom-ref': purlOf(path),
    type: 'library',
    name: nameOf(path),
    version: packages[path].version,
    purl: purlOf(path),
    ...(integrity.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
    ...(license ? { licenses: [{ expression: license }] } : {}),
  })
  dependencies.set(purlOf(path), [...(dependencies.get(purlOf(path)) ?? []), ...wantedBy(path)])
}
dependencies.set(own, [...(dependencies.get(own) ?? []), ...wantedBy('')])

const inOrder = (/** @type {string} */ a, /** @type {string} */ b) => (a < b ? -1 : a > b ? 1 : 0)
/** A package that is installed twice in one version is one component. */
const unique = new Map(components.map((component) => [component['bom-ref'], component]))

process.stdout.write(
  `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        timestamp: new Date(Number(date) * 1000).toISOString(),
        component: {
          'bom-ref': own,
          type: 'application',
          name: 'countersign',
          version,
          purl: own,
          licenses: [{ license: { id: 'MIT' } }],
        },
      },
      components: [...unique.values()].sort((a, b) => inOrder(a['bom-ref'], b['bom-ref'])),
      dependencies: [...dependencies]
        .sort(([a], [b]) => inOrder(a, b))
        .map(([of, on]) => ({ ref: of, dependsOn: [...new Set(on)].sort(inOrder) })),
    },
    null,
    1,
  )}\n`,
)
