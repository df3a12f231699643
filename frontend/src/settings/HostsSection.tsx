import { NameList } from './NameList'
import { Section } from './Section'
import { useSettings } from './useSettings'

export const HostsSection = () => {
  const { state, change, locked } = useSettings()
  return (
    <Section
      name="hosts"
      title="Hosts"
      about="Programs fetch from these without asking. About every other host you are asked, and addresses of your own network are never reached."
    >
      <NameList
        label="A host to add"
        placeholder="example.com or *.example.com"
        names={state.settings.hosts}
        empty="No host. You are asked about each."
        disabled={locked}
        onAdd={(host) => change('hosts', (now) => ({ ...now, hosts: [...now.hosts, host] }))}
        onRemove={(host) => void change('hosts', (now) => ({ ...now, hosts: now.hosts.filter((h) => h !== host) }))}
      />
    </Section>
  )
}
