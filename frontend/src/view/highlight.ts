import javascript from 'highlight.js/lib/languages/javascript'
import { createLowlight } from 'lowlight'

/** A stretch of text within a line, with the class that colours it. */
export interface Stretch {
  text: string
  className?: string
}

const lowlight = createLowlight({ javascript })
lowlight.registerAlias({ javascript: ['js', 'jsx', 'mjs'] })

/** Longer texts are shown without colours: nobody reads them for those. */
const maxLength = 60_000

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

/** Cuts a program into lines of coloured stretches; a token may span lines. */
export const linesOf = (code: string, language: string): Stretch[][] => {
  const lines: Stretch[][] = [[]]
  const put = (text: string, className?: string): void => {
    text.split('\n').forEach((piece, at) => {
      if (at > 0) lines.push([])
      if (piece !== '') lines.at(-1)?.push(className ? { text: piece, className } : { text: piece })
    })
  }
  const walk = (nodes: Node[], className?: string): void => {
    for (const node of nodes) {
      if (node.type === 'text') put(node.value, className)
      else if (node.type === 'element') {
        const own = node.properties.className
        walk(node.children as Node[], Array.isArray(own) ? own.join(' ') : className)
      }
    }
  }
  // A newline at the very end ends the last line; it does not begin another.
  const text = code.replace(/\n$/, '')
  if (text.length > maxLength || !lowlight.registered(language)) put(text)
  else walk(lowlight.highlight(language, text).children)
  return lines
}
