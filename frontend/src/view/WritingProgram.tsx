import { Program } from './Program'
import { StandingMark } from './StandingMark'

/** A program while the model is still writing it. */
export const WritingProgram = ({ code }: { code: string }) => (
  <article className="run">
    <header className="run-head">
      <StandingMark standing="running" />
      <h2>Writing a program</h2>
    </header>
    {code !== '' && <Program code={code} growing />}
  </article>
)
