import type { Piece } from './shapes'

/** Text with what was looked for marked in it. */
export const Pieces = ({ pieces }: { pieces: Piece[] }) => (
  <>
    {pieces.map(({ text, hit }, at) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no other identity
      hit ? <mark key={at}>{text}</mark> : text,
    )}
  </>
)
