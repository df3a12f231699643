// A page under `default-src 'self'`: tells its parent how each mode fares.
import { makeSandbox } from '../fixture/sandbox.js'

const began = performance.now()
const unserved = makeSandbox({ frame: { srcdoc: true } })
const srcdoc = await unserved.run({ code: 'return 42', functions: {} })
const ms = performance.now() - began
const served = makeSandbox({ frame: { url: '/sandbox.html' } })
const url = await served.run({ code: 'return 42', functions: {} })
parent.postMessage(
  {
    srcdoc: { status: srcdoc.status, name: srcdoc.error?.name, message: srcdoc.error?.message, ms },
    url: { status: url.status, value: url.value },
  },
  '*',
)
