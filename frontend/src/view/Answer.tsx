import { type ComponentProps, memo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { unturned } from '../value/plain'
import { CopyButton } from './CopyButton'
import { Program } from './Program'

/**
 * A model's text. Raw HTML is shown as text and pictures are left out. Links
 * are shown with their address and lead nowhere: a model must not be able to
 * send the app's window away.
 */
export const Answer = memo(({ text }: { text: string }) => (
  <div className="answer">
    <Markdown remarkPlugins={plugins} rehypePlugins={unturning} components={components} disallowedElements={disallowed}>
      {text}
    </Markdown>
  </div>
))

const plugins = [remarkGfm]

/** A part of a text that was read as Markdown. */
interface Part {
  type: string
  value?: string
  tagName?: string
  children?: Part[]
}

/**
 * Shows what turns the direction of text as an escape, as everywhere: an answer must not
 * make “exe.txt” of “txt.exe”. Blocks of code are left to Program, which shows them so
 * and copies them as they are.
 */
const unturn = (part: Part): void => {
  if (part.tagName === 'pre') return
  if (part.value !== undefined) part.value = unturned(part.value)
  part.children?.forEach(unturn)
}
const unturning = [() => unturn]
const disallowed = ['img', 'input']

const Address = ({ href, children }: ComponentProps<'a'>) => (
  <span className="address">
    {children}
    {href !== undefined && href !== '' && href !== String(children) && (
      <span className="address-target"> ({unturned(href)})</span>
    )}
  </span>
)

const Code = ({ className, children }: ComponentProps<'code'>) => {
  const language = /language-(\w+)/.exec(className ?? '')?.[1]
  const isBlock = language !== undefined || String(children).includes('\n')
  if (!isBlock) return <code>{children}</code>
  const text = String(children).replace(/\n$/, '')
  return (
    <div className="code-block">
      <Program code={text} language={language ?? 'text'} label="Code" />
      <CopyButton text={text} label="Copy the code" />
    </div>
  )
}

const components: Components = { a: Address, code: Code, pre: ({ children }) => <>{children}</> }
