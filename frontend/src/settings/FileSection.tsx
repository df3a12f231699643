import { CopyButton } from '../view/CopyButton'
import { Section } from './Section'
import { useSettings } from './useSettings'

export const FileSection = () => {
  const { state } = useSettings()
  if (state.fixed) return null
  return (
    <Section
      name="file"
      title="The file"
      about={
        state.exists
          ? 'All of this stands in a file that you can edit too. It is read when it is saved, and your comments stay.'
          : 'All of this is kept in a file that you can edit too. It is made with the first change.'
      }
    >
      <p className="set-file">
        <code className="set-path">{state.path}</code>
        <CopyButton text={() => state.path} label="Copy the path" />
      </p>
    </Section>
  )
}
