/** How pictures are drawn: colours are the page's own, so they follow its theme. */

export const kinds = {
  free: 'var(--chart-free)',
  approved: 'var(--chart-approved)',
  rejected: 'var(--chart-rejected)',
  refused: 'var(--chart-refused)',
} as const

export const axis = {
  stroke: 'var(--ink-faint)',
  tick: { fill: 'var(--ink-soft)', fontSize: 12 },
  tickLine: false,
} as const

export const grid = { stroke: 'var(--line)', strokeDasharray: '2 4' } as const

export const tooltip = {
  contentStyle: {
    background: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 6,
    color: 'var(--ink)',
    fontSize: 13,
  },
  labelStyle: { color: 'var(--ink)', fontWeight: 600 },
  itemStyle: { color: 'var(--ink)' },
  cursor: { fill: 'var(--line)', opacity: 0.4 },
  isAnimationActive: false,
} as const

/** 12500 → “12.5k”: short enough for an axis. */
export const short = (n: number): string =>
  n >= 1_000_000 ? `${n / 1_000_000}M` : n >= 1000 ? `${n / 1000}k` : String(n)
