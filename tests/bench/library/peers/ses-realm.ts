// In a frame of its own: the realm that ses locks down.
import 'ses'

lockdown({ errorTaming: 'unsafe', consoleTaming: 'unsafe' })

Object.assign(window, {
  run: (code: string, host: (input: unknown) => unknown): Promise<unknown> => {
    const compartment = new Compartment({ globals: { host: harden(async (input: unknown) => host(input)) }, __options__: true })
    return compartment.evaluate(`(async () => { ${code}\n})()`)
  },
})
