import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import type { Opened } from '../open'
import { FoundList } from './FoundList'
import { useChecks } from './useChecks'

/** In the settings: every check of the isolation, made live in this very webview. */
export const SelfTestSection = ({ opened }: { opened: Opened }) => {
  const { hello, isolation, places } = opened
  const title = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const place = useSyncExternalStore(places.subscribe, places.get)
  useEffect(() => {
    // Somebody was sent here to see what failed.
    if (place.at !== 'settings' || place.section !== 'isolation') return
    heading.current?.focus()
    heading.current?.scrollIntoView({ block: 'start' })
  }, [place])
  const isolated = useSyncExternalStore(isolation.subscribe, isolation.get)
  const { running, found, total, failure, run } = useChecks(opened)
  const failed = found.filter(({ passed }) => !passed)
  return (
    <section className="set-section checks" aria-labelledby={title} id="set-isolation">
      <h3 id={title} ref={heading} tabIndex={-1}>
        Isolation
      </h3>
      <p className="set-about">
        Programs run in a sandbox of this machine’s own webview{hello.engine === undefined ? '' : `, ${hello.engine}`}.
        Each start makes a few checks; here you can make them all. Programs that try to get out are run, and what the
        engine answered is shown. Nothing of it stands in your log.
      </p>
      <p className={`checks-state checks-${isolated.state}`} role="status">
        {wordsOf[isolated.state]}
      </p>
      {(isolated.state === 'broken' || isolated.state === 'unchecked') && found.length === 0 && (
        <FoundList found={isolated.failed} />
      )}
      <button type="button" className="set-button" disabled={running} onClick={run}>
        {running
          ? `Checking: ${found.length} of ${total}`
          : found.length > 0
            ? 'Check again'
            : `Make all ${total} checks`}
      </button>
      {failure !== undefined && (
        <p className="set-problem" role="alert">
          The checks could not be made: {failure}
        </p>
      )}
      {!running && found.length > 0 && failure === undefined && (
        <p role="status">
          {failed.length === 0
            ? `All ${found.length} checks passed.`
            : `${failed.length} of ${found.length} checks failed. They stand first.`}
        </p>
      )}
      <FoundList found={running ? found : [...failed, ...found.filter(({ passed }) => passed)]} />
    </section>
  )
}

const wordsOf = {
  checking: 'Checking what this start relies on…',
  holds: 'Programs are kept in on this machine, as far as the checks have shown.',
  broken: 'Programs are turned off: a check has failed.',
  unchecked: 'Programs cannot run yet: a check could not be made. It is made again before the next program.',
}
