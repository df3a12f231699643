import { useEffect, useState } from 'react'
import type { Opened } from '../open'
import { DemoRow, type Playing } from './DemoRow'
import { type Demo, listDemos, playDemo } from './operations'

/** The demos that come with the app. Each plays in a window of its own. */
export const Gallery = ({ opened: { ask } }: { opened: Opened }) => {
  const [demos, setDemos] = useState<Demo[]>()
  const [failure, setFailure] = useState<string>()
  const [playing, setPlaying] = useState<Record<string, Playing>>({})
  useEffect(() => {
    let current = true
    listDemos(ask).then(
      (list) => current && setDemos(list),
      (error: Error) => current && setFailure(error.message),
    )
    return () => {
      current = false
    }
  }, [ask])

  const play = async (name: string): Promise<void> => {
    const show = (to: Playing): void => setPlaying((before) => ({ ...before, [name]: to }))
    show({ at: 'playing' })
    try {
      const { good, message } = await playDemo(ask, name)
      show(good ? { at: 'good' } : { at: 'bad', why: message ?? 'it did not say why' })
    } catch (error) {
      show({ at: 'bad', why: error instanceof Error ? error.message : String(error) })
    }
  }

  return (
    <main className="place gallery" aria-label="Demos">
      <h2>Demos</h2>
      <p className="gallery-about">
        Only the model’s words are recorded. The program, the sandbox, the gate, the card, the functions and the log are
        the real ones. Each demo opens a window of its own, on data that is thrown away with it; your conversations and
        your log stay as they are.
      </p>
      {failure !== undefined && (
        <p className="gallery-failure" role="alert">
          The demos cannot be listed: {failure}
        </p>
      )}
      <ol className="gallery-list">
        {demos?.map((demo) => (
          <DemoRow
            key={demo.name}
            demo={demo}
            state={playing[demo.name] ?? { at: demo.playing ? 'playing' : 'idle' }}
            onPlay={() => void play(demo.name)}
          />
        ))}
      </ol>
    </main>
  )
}
