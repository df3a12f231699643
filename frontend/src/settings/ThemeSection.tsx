import { type Choice, Choices } from './Choices'
import { Section } from './Section'
import type { Settings } from './shapes'
import { useSettings } from './useSettings'

const themes: Choice<Settings['theme']>[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export const ThemeSection = () => {
  const { state, change, locked } = useSettings()
  return (
    <Section name="theme" title="Appearance">
      <Choices
        label="Theme"
        choices={themes}
        value={state.settings.theme}
        disabled={locked}
        onChoose={(theme) => void change('theme', (now) => ({ ...now, theme }))}
      />
    </Section>
  )
}
