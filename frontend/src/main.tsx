// The first of all: Go answers while the rest is read.
import { ask, connection } from './first'
import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './style/tokens.css'
import './style/page.css'
import './style/window.css'
import './style/conversation.css'
import './style/run.css'
import './style/waiting.css'
import './style/gallery.css'
import './style/selftest.css'
import './style/code.css'
import './style/settings.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { open } from './open'
import { App } from './view/App'

const place = document.getElementById('app')
if (!place) throw new Error('index.html has no element with the id “app”')

const opening = connection && ask ? open(connection, ask) : undefined
opening?.catch(() => {}) // the page shows it, a moment later

createRoot(place).render(
  <StrictMode>
    <App opening={opening} />
  </StrictMode>,
)
