// A page under `default-src 'self'`: tells its parent how each mode fares.
import { approveAll, makeSandbox } from '../fixture/sandbox.js'

const began = performance.now()
const unserved = makeSandbox({ frame: { srcdoc: true } })
const srcdoc = await unserved.run({ code: 'return 42', functions: {} })
const ms = performance.now() - began
const served = makeSandbox({ frame: { url: '/sandbox.html' } })
const url = await served.run({ code: 'return 42', functions: {} })
// What is loaded on demand comes from the page's own origin too.
const functions = { act: { call: (input: unknown) => input, approval: true } }
const held = await served.run({ code: 'return await sdk.act(7)', functions, approval: { mode: 'collect' } })
const resumed = await approveAll(held)
const thrown = await served.run({ code: 'return sdk.nothing()', functions })
parent.postMessage(
  {
    srcdoc: { status: srcdoc.status, name: srcdoc.error?.name, message: srcdoc.error?.message, ms },
    url: { status: url.status, value: url.value },
    resumed: [held.status, resumed.status, resumed.value],
    hint: thrown.error?.message,
  },
  '*',
)
