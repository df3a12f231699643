import type { ReactNode } from 'react'

interface Props {
  kind: 'error' | 'plain'
  title?: string
  action?: { label: string; onClick: () => void }
  children: ReactNode
}

/** Something the person should know, and what to do about it. */
export const Notice = ({ kind, title, action, children }: Props) => (
  <div className={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : undefined}>
    <div>
      {title !== undefined && <strong>{title}</strong>}
      <div className="notice-text">{children}</div>
    </div>
    {action && (
      <button type="button" onClick={action.onClick}>
        {action.label}
      </button>
    )}
  </div>
)
