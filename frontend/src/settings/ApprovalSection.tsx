import { type Choice, Choices } from './Choices'
import { Section } from './Section'
import type { Settings } from './shapes'
import { useSettings } from './useSettings'

const ways: Choice<Settings['approval']>[] = [
  {
    value: 'batch',
    label: 'Once for each program',
    about:
      'The program goes on as far as it can. Then one card shows all calls that need you, and you approve them all, some or none.',
  },
  {
    value: 'each',
    label: 'For each call',
    about: 'The program stops at each call that needs you and shows a card for that one.',
  },
  {
    value: 'never',
    label: 'Never',
    about: 'You are not asked, and no call that needs approval runs. Programs can only look.',
  },
]

export const ApprovalSection = () => {
  const { state, change, locked } = useSettings()
  return (
    <Section
      name="approval"
      title="Asking you"
      about="Calls that change something outside a program run only after you have approved them. When are you asked?"
    >
      <Choices
        label="When you are asked"
        choices={ways}
        value={state.settings.approval}
        disabled={locked}
        onChoose={(approval) => void change('approval', (now) => ({ ...now, approval }))}
      />
    </Section>
  )
}
