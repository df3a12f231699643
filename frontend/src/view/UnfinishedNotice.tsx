import type { Unfinished } from '../assistant/assistant'
import { Notice } from './Notice'

const words: Record<Unfinished, string> = {
  unanswered: 'This was not answered: it was stopped, or the app closed.',
  cut: 'The answer ends here: the app closed while it was being written.',
  program: 'The program has ended, and the model has not spoken since.',
}

/** Says why the last word is missing, and lets the person have it. */
export const UnfinishedNotice = ({ unfinished, onGoOn }: { unfinished?: Unfinished; onGoOn: () => void }) =>
  unfinished === undefined ? null : (
    <Notice kind="plain" action={{ label: 'Go on', onClick: onGoOn }}>
      {words[unfinished]}
    </Notice>
  )
