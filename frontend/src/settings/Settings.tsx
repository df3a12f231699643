import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { Opened } from '../open'
import { SelfTestSection } from '../selftest/SelfTestSection'
import { ApprovalSection } from './ApprovalSection'
import { FileSection } from './FileSection'
import { FoldersSection } from './FoldersSection'
import { HostsSection } from './HostsSection'
import { LimitsSection } from './LimitsSection'
import { ModelSection } from './ModelSection'
import { Problems } from './Problems'
import { ServersSection } from './ServersSection'
import { ThemeSection } from './ThemeSection'
import { TightenSection } from './TightenSection'
import { SettingsProvider, useSettings } from './useSettings'

/** What the person decides about the app. Each change takes effect at once, and stands in the file. */
export const Settings = ({ opened }: { opened: Opened }) => {
  const { settings, ask } = opened
  const [functions, setFunctions] = useState<string[]>([])
  useEffect(() => {
    let current = true
    // For suggestions only: without them a name can be written all the same.
    ask('functions', {}).then(
      (list) => current && setFunctions(names.safeParse(list).data?.map(({ name }) => name) ?? []),
      () => {},
    )
    return () => {
      current = false
    }
  }, [ask])
  return (
    <main className="place settings" aria-label="Settings">
      <SettingsProvider store={settings} ask={ask}>
        <h2>Settings</h2>
        <Fixed />
        <Problems onReload={settings.reload} onPutAside={settings.putAside} />
        <ModelSection />
        <ApprovalSection />
        <FoldersSection />
        <HostsSection />
        <ServersSection />
        <TightenSection functions={functions} />
        <LimitsSection />
        <ThemeSection />
        <SelfTestSection opened={opened} />
        <FileSection />
      </SettingsProvider>
    </main>
  )
}

const names = z.array(z.object({ name: z.string() }))

const Fixed = () => {
  const { state } = useSettings()
  if (!state.fixed) return null
  return <p className="set-none">A demo has settings of its own. Yours are in the window of Countersign itself.</p>
}
