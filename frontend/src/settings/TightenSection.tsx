import { NameList } from './NameList'
import { Section } from './Section'
import { useSettings } from './useSettings'

/** `functions` are the names of those that there are. */
export const TightenSection = ({ functions }: { functions: string[] }) => {
  const { state, change, locked } = useSettings()
  const families = [...new Set(functions.map((name) => name.slice(0, name.lastIndexOf('.') + 1)))]
  return (
    <Section
      name="tighten"
      title="Ask about more"
      about="You are asked about these functions although Countersign would let programs call them by themselves: one by its name, a family as files.*, or * for all."
    >
      <NameList
        label="A function to be asked about"
        placeholder="files.read, files.* or *"
        names={state.settings.tighten}
        suggestions={['*', ...families.filter((family) => family !== '').map((family) => `${family}*`), ...functions]}
        empty="Only about what Countersign marks."
        disabled={locked}
        onAdd={(name) => change('tighten', (now) => ({ ...now, tighten: [...now.tighten, name] }))}
        onRemove={(name) =>
          void change('tighten', (now) => ({ ...now, tighten: now.tighten.filter((n) => n !== name) }))
        }
      />
    </Section>
  )
}
