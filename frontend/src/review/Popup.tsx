import { type ReactNode, useEffect, useRef, useState } from 'react'

interface Props {
  label: string
  className: string
  button: ReactNode
  disabled?: boolean
  onOpen?: () => void
  children: (close: () => void) => ReactNode
}

/** A button with something that opens below it; Escape and a click elsewhere close it. */
export const Popup = ({ label, className, button, disabled = false, onOpen, children }: Props) => {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const elsewhere = (event: PointerEvent): void => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', elsewhere)
    return () => document.removeEventListener('pointerdown', elsewhere)
  }, [open])
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open in it
    <span
      className="review-popup-place"
      ref={place}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <button
        type="button"
        ref={opener}
        className={className}
        aria-haspopup="dialog"
        aria-expanded={open}
        disabled={disabled}
        onClick={() => {
          if (!open) onOpen?.()
          setOpen(!open)
        }}
      >
        {button}
      </button>
      {open && (
        <div className="review-popup" role="dialog" aria-label={label}>
          {children(close)}
        </div>
      )}
    </span>
  )
}
