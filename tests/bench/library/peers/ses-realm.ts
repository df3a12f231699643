// In a frame of its own: the realm that ses locks down.
import 'ses'

lockdown({ errorTaming: 'unsafe', consoleTaming: 'unsafe' })

Object.assign(window, {
  run: (code: string, host: (input: unknown) => unknown): Promise<unknown> => {
    // Without Date of its own a compartment has no clock; a loop that ends by itself needs one.
    const compartment = new Compartment({
      globals: { Date, host: harden(async (input: unknown) => host(input)) },
      __options__: true,
    })
    return compartment.evaluate(`(async () => { ${code}\n})()`)
  },
})
