const seen = {}
for (const name of ['panic', 'nil', 'index', 'goexit', 'nan', 'cycle', 'channel', 'error', 'empty']) {
  try {
    await sdk.test[name]({})
    seen[name] = 'no error'
  } catch (error) {
    seen[name] = `${error.name}: ${error.message}`
  }
}
const bytes = Uint8Array.from({ length: 500_000 }, (_, at) => at % 251)
const back = await sdk.test.echo({ bytes, when: new Date(0), big: 2n ** 64n, map: new Map([['k', new Set([undefined, -0, NaN])]]) })
seen.bytes = back.bytes.length === bytes.length && back.bytes.every((byte, at) => byte === at % 251)
seen.kinds = [back.when instanceof Date, typeof back.big, back.map.get('k').size].join(' ')
return seen
