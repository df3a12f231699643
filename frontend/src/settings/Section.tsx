import { type ReactNode, useId } from 'react'
import { useSettings } from './useSettings'

/** A part of the settings, with what is wrong with the last change in it. */
export const Section = ({
  name,
  title,
  about,
  children,
}: {
  /** That changes name, so that their problems are shown here. */
  name: string
  title: string
  about?: ReactNode
  children: ReactNode
}) => {
  const { problemIn } = useSettings()
  const id = useId()
  const problem = problemIn(name)
  return (
    <section className="set-section" aria-labelledby={id} id={`set-${name}`}>
      <h3 id={id}>{title}</h3>
      {about && <p className="set-about">{about}</p>}
      {children}
      {problem !== undefined && (
        <p className="set-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
