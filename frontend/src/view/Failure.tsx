import type { ReactNode } from 'react'

/** A page that cannot go on, and what the person can do about it. */
export const Failure = ({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) => (
  <main className="failure-place">
    <div className="failure" role="alert">
      <h1>{title}</h1>
      {children}
      {detail !== undefined && (
        <details>
          <summary>What the app said</summary>
          <p className="failure-detail">{detail}</p>
        </details>
      )}
    </div>
  </main>
)
