import { useState } from 'react'
import { oddIn, plainLines } from '../value/plain'
import { CopyButton } from '../view/CopyButton'
import { Scroll } from './Scroll'
import { bytes } from './words'

/** How much is drawn at once, in characters: a browser lays out more only slowly. */
const most = 60_000

/** A text in full, which may be long. */
export const LongText = ({ title, text, none }: { title: string; text: string; none: string }) => {
  const [whole, setWhole] = useState(false)
  const cut = text.length > most && !whole
  const shown = cut ? text.slice(0, most) : text
  const odd = oddIn(shown)
  return (
    <section className="review-part">
      <h4>
        {title}
        {text !== '' && <CopyButton text={text} label={`Copy the ${title.toLowerCase()}`} />}
      </h4>
      {odd && <p className="review-odd">{odd}</p>}
      {text === '' ? (
        <p className="quiet">{none}</p>
      ) : (
        <Scroll className="review-text" label={title}>
          <pre>{plainLines(shown)}</pre>
        </Scroll>
      )}
      {cut && (
        <button type="button" className="review-button" onClick={() => setWhole(true)}>
          Show all {bytes(text.length)}
        </button>
      )}
    </section>
  )
}
