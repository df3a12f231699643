import {
  newQuickJSWASMModule,
  type QuickJSContext,
  type QuickJSHandle,
  shouldInterruptAfterDeadline,
} from 'quickjs-emscripten'
import type { Host, Runner } from '../runner.js'

/** How long a program may run, in ms; the row on stopping sets it. */
export const timeout = { ms: 30_000 }

// Bytes cross as buffers, everything else as JSON: what its users do.
const prelude = `const host = async (input) => input instanceof Uint8Array
  ? new Uint8Array(await hostBytes(input.buffer))
  : JSON.parse(await hostText(JSON.stringify(input)));`

const define = (
  vm: QuickJSContext,
  name: string,
  host: Host,
  read: (h: QuickJSHandle) => unknown,
  write: (v: unknown) => QuickJSHandle,
): void => {
  const made = vm.newFunction(name, (argument) => {
    const input = read(argument)
    const promise = vm.newPromise()
    Promise.resolve(host(input)).then((value) => {
      write(value).consume((handle) => promise.resolve(handle))
      vm.runtime.executePendingJobs()
    })
    return promise.handle
  })
  made.consume((handle) => vm.setProp(vm.global, name, handle))
}

export const runner: Runner = {
  name: 'quickjs-emscripten',
  kind: 'peer',
  open: async () => {
    const quickjs = await newQuickJSWASMModule()
    return {
      ready: async () => {},
      run: async (code, host) => {
        const vm = quickjs.newContext()
        try {
          vm.runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + timeout.ms))
          define(
            vm,
            'hostText',
            host,
            (h) => JSON.parse(vm.getString(h)),
            (v) => vm.newString(JSON.stringify(v)),
          )
          define(
            vm,
            'hostBytes',
            host,
            // A copy: what is given is a view of the machine's own memory.
            (h) => vm.getArrayBuffer(h).consume((bytes) => new Uint8Array(bytes.value)),
            (v) => vm.newArrayBuffer((v as Uint8Array).buffer as ArrayBuffer),
          )
          const promise = vm.unwrapResult(vm.evalCode(`(async () => { ${prelude} ${code}\n})()`))
          const settled = vm.resolvePromise(promise)
          promise.dispose()
          vm.runtime.executePendingJobs()
          const answer = await settled
          return vm.unwrapResult(answer).consume((handle) => vm.dump(handle))
        } finally {
          vm.dispose()
        }
      },
      close: () => {},
    }
  },
}
