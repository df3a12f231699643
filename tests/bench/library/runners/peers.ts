// The peers, each loaded on demand: their bundles are large, and two of them
// bring a WebAssembly file of the same name.

import type { Runner } from '../runner.js'

const peer = (name: string, file: string): Runner => ({
  name,
  kind: 'peer',
  open: async () => {
    const { runner } = (await import(/* @vite-ignore */ `/peers/${file}/${file}.js`)) as { runner: Runner }
    return runner.open()
  },
})

export const codemode = peer('@cloudflare/codemode', 'codemode')
export const quickjs = peer('quickjs-emscripten', 'quickjs')
export const tanstack = peer('@tanstack/ai-isolate-quickjs', 'tanstack')
export const ses = peer('ses', 'ses')

export const peers = [codemode, quickjs, tanstack, ses]
