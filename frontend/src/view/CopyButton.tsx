import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copy } from './copy'

/** Copies a text, and says that it has. */
export const CopyButton = ({ text, label }: { text: string | (() => string); label: string }) => {
  const [said, setSaid] = useState<'' | 'Copied' | 'It could not be copied'>('')
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), 2000)
    return () => clearTimeout(timer)
  }, [said])
  const onClick = async (): Promise<void> => {
    const done = await copy(typeof text === 'string' ? text : text())
    setSaid(done ? 'Copied' : 'It could not be copied')
  }
  return (
    <button
      type="button"
      className="tool"
      aria-label={said || label}
      title={said || label}
      onClick={() => void onClick()}
    >
      {said === 'Copied' ? <Check /> : <Copy />}
    </button>
  )
}
