import { OutcomeMark } from './OutcomeMark'
import type { Detail } from './shapes'

type Card = NonNullable<Detail['card']>

/** The card as it was shown: its title, the request, and every call that was on it. */
export const ShownCard = ({ card, id, onShow }: { card: Card; id: number; onShow: (id: number) => void }) => (
  <section className="review-part">
    <h4>The card, as it was shown</h4>
    <figure className="review-card" aria-label={`Card: ${card.title}`}>
      <figcaption>{card.title}</figcaption>
      {card.request !== '' && (
        <p className="review-card-request">
          <small>Your request</small> {card.request}
        </p>
      )}
      <ol>
        {card.rows.map((row) => (
          <li key={row.id} aria-current={row.id === id}>
            <button type="button" onClick={() => onShow(row.id)}>
              <span className={`review-box ${row.verdict === 'approve' ? 'review-box-on' : ''}`} aria-hidden />
              <span className="unseen">{row.verdict === 'approve' ? 'Approved: ' : 'Not approved: '}</span>
              <span className="review-card-call">
                {row.fn} <code>{row.input}</code>
              </span>
            </button>
            <OutcomeMark row={row} />
          </li>
        ))}
      </ol>
    </figure>
  </section>
)
