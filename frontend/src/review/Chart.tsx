import type { ReactNode } from 'react'
import { Scroll } from './Scroll'

interface Props {
  title: string
  /** What is to be seen, in a sentence: also what a screen reader says. */
  summary: string
  legend?: [name: string, words: string][]
  head: string[]
  rows: (string | number)[][]
  children: ReactNode
}

/** A picture, what it says in words, and the table behind it. */
export const Chart = ({ title, summary, legend, head, rows, children }: Props) => (
  <figure className="review-chart">
    <figcaption>
      <h3>{title}</h3>
      <p>{summary}</p>
    </figcaption>
    {legend && (
      <ul className="review-legend" aria-hidden>
        {legend.map(([name, words]) => (
          <li key={name}>
            <span className={`review-swatch review-swatch-${name}`} />
            {words}
          </li>
        ))}
      </ul>
    )}
    <div className="review-picture" role="img" aria-label={`${title}. ${summary}`}>
      {children}
    </div>
    <details>
      <summary>The table behind it</summary>
      <Scroll className="review-table" label={`Table: ${title}`}>
        <table>
          <thead>
            <tr>
              {head.map((cell) => (
                <th key={cell} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr key={String(cells[0])}>
                {cells.map((cell, at) =>
                  at === 0 ? (
                    <th key={head[at]} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={head[at]}>{typeof cell === 'number' ? cell.toLocaleString('en-US') : cell}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  </figure>
)
