import type { SettingsStore } from './store'

/** Has the page look as the person chose, now and after each change. */
export const followTheme = (settings: SettingsStore, root = document.documentElement): void => {
  const follow = (): void => {
    const { theme } = settings.current().settings
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
  }
  follow()
  settings.subscribe(follow)
}
