// Puts the bills of materials of the Go program and of its page into one, in
// CycloneDX 1.6, without what differs from one making to the next.
//
// node sbom.mjs VERSION DATE GO.json NPM.json >countersign.cdx.json    DATE: seconds since 1970
import { readFileSync } from 'node:fs'

const [version, date, ...files] = process.argv.slice(2)
if (files.length !== 2) {
  console.error('expected: sbom.mjs VERSION DATE GO.json NPM.json')
  process.exit(2)
}
const boms = files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
const own = `pkg:golang/github.com/faustine-ai/countersign@${version}`
const roots = new Set(boms.map((bom) => bom.metadata.component['bom-ref']))
/** What is a whole of its own elsewhere is one whole here. */
const ref = (/** @type {string} */ name) => (roots.has(name) ? own : name)

/** @type {Map<string, any>} */
const components = new Map()
for (const { components: list = [] } of boms) {
  for (const component of list) {
    // Hashes of go.sum and of npm's lock file are kept; where a file lay is not.
    const { properties, evidence, ...kept } = component
    components.set(component['bom-ref'], kept)
  }
}
/** @type {Map<string, Set<string>>} */
const dependencies = new Map()
for (const { dependencies: list = [] } of boms) {
  for (const { ref: of, dependsOn = [] } of list) {
    const all = dependencies.get(ref(of)) ?? new Set()
    for (const on of dependsOn) all.add(ref(on))
    dependencies.set(ref(of), all)
  }
}
const byRef = (/** @type {string} */ a, /** @type {string} */ b) => (a < b ? -1 : a > b ? 1 : 0)

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
      components: [...components.values()].sort((a, b) => byRef(a['bom-ref'], b['bom-ref'])),
      dependencies: [...dependencies]
        .sort(([a], [b]) => byRef(a, b))
        .map(([of, on]) => ({ ref: of, dependsOn: [...on].sort(byRef) })),
    },
    null,
    1,
  )}\n`,
)
