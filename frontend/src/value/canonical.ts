import type { Tagged } from './tagged'

/**
 * The one text of a tagged tree: what Go logs, digests and executes. JSON with
 * keys sorted by UTF-16 units and numbers as JavaScript writes them (RFC 8785).
 */
export const canonicalText = (tree: Tagged): string => {
  if (Array.isArray(tree)) return `[${tree.map(canonicalText).join(',')}]`
  if (typeof tree !== 'object' || tree === null) return JSON.stringify(tree)
  // Sorted by hand: an object lists keys such as "10" and "9" by number.
  const keys = Object.keys(tree).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(tree[key] as Tagged)}`).join(',')}}`
}
