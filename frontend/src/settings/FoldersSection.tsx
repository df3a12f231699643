import { FolderPlus } from 'lucide-react'
import { Section } from './Section'
import type { Folder } from './shapes'
import { useBusy } from './useBusy'
import { useSettings } from './useSettings'

/** A name for a folder that no other has, in the letters that names may have. */
const nameFor = (path: string, folders: Folder[]): string => {
  const last = path.split(/[/\\]/).filter(Boolean).at(-1) ?? ''
  const base = last.replace(/[^A-Za-z0-9 _.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'folder'
  const short = base.slice(0, 60)
  for (let n = 1; ; n++) {
    const name = n === 1 ? short : `${short} ${n}`
    if (!folders.some((folder) => folder.name === name)) return name
  }
}

export const FoldersSection = () => {
  const { state, change, operations, locked } = useSettings()
  const { busy, failed, run } = useBusy()
  const { folders } = state.settings
  const pick = (): Promise<void> =>
    run(async () => {
      const path = await operations.pickFolder()
      if (path === '') return
      await change('folders', (now) => ({
        ...now,
        folders: [...now.folders, { path, name: nameFor(path, now.folders), write: false }],
      }))
    })
  const set = (path: string, write: boolean): void =>
    void change('folders', (now) => ({
      ...now,
      folders: now.folders.map((folder) => (folder.path === path ? { ...folder, write } : folder)),
    }))
  const remove = (path: string): void =>
    void change('folders', (now) => ({ ...now, folders: now.folders.filter((folder) => folder.path !== path) }))
  return (
    <Section
      name="folders"
      title="Folders"
      about="What programs can see of your files: these folders and what is in them, nothing else. They read by themselves; before anything is changed you are asked."
    >
      {folders.length === 0 ? (
        <p className="set-none">No folder. Programs see none of your files.</p>
      ) : (
        <ul className="set-list">
          {folders.map(({ path, name, write }) => (
            <li key={path} className="set-item">
              <div className="set-item-text">
                <span className="set-item-title">{name}</span>
                <span className="set-path">{path}</span>
              </div>
              <label className="set-pick">
                <span className="unseen">What programs may do in {name}</span>
                <select
                  value={write ? 'write' : 'read'}
                  disabled={locked}
                  onChange={(event) => set(path, event.target.value === 'write')}
                >
                  <option value="read">Read</option>
                  <option value="write">Read, and change after asking</option>
                </select>
              </label>
              <button
                type="button"
                className="set-remove"
                aria-label={`Remove ${name}`}
                disabled={locked}
                onClick={() => remove(path)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" className="set-button" disabled={locked || busy} onClick={() => void pick()}>
        <FolderPlus aria-hidden /> Add a folder…
      </button>
      {failed !== undefined && (
        <p className="set-problem" role="alert">
          {failed}
        </p>
      )}
    </Section>
  )
}
