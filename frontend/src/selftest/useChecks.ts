import { createSandbox } from '@faustine-ai/browser-sandbox'
import { useEffect, useRef, useState } from 'react'
import type { Opened } from '../open'
import type { Found } from './check'
import { live } from './live'
import { openCanary } from './operations'
import { outcome } from './outcome'

/** Makes every live check, one after another, in a sandbox of their own. */
export const useChecks = ({ ask, isolation }: Pick<Opened, 'ask' | 'isolation'>) => {
  const [found, setFound] = useState<Found[]>([])
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<string>()
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])

  const run = async (): Promise<void> => {
    setRunning(true)
    setFailure(undefined)
    setFound([])
    const sandbox = createSandbox({ frame: { url: '/sandbox.html' }, warm: true })
    try {
      const canary = await openCanary(ask)
      const all: Found[] = []
      try {
        for (const check of live) {
          if (gone.current) return // the person has left the settings
          all.push(await outcome(check, { sandbox, canary }))
          setFound([...all])
        }
        isolation.found(all.filter(({ passed }) => !passed))
      } finally {
        await canary.end()
      }
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      sandbox.dispose()
      setRunning(false)
    }
  }
  return { running, found, total: live.length, failure, run: () => void run() }
}
