import { useId } from 'react'

export interface Choice<T extends string> {
  value: T
  label: string
  about?: string
}

/** One of a few, each with what it means. */
export const Choices = <T extends string>({
  label,
  choices,
  value,
  disabled,
  onChoose,
}: {
  label: string
  choices: Choice<T>[]
  value: T
  disabled?: boolean
  onChoose: (value: T) => void
}) => {
  const name = useId()
  return (
    <fieldset className="set-choices" disabled={disabled}>
      <legend className="unseen">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="set-choice">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span>
            <span className="set-choice-label">{choice.label}</span>
            {choice.about && <span className="set-choice-about">{choice.about}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
