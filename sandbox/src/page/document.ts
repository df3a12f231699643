// The frame document as text, for srcdoc mode; loaded on demand. The build
// puts it in.
declare const frameDocumentText: string
export const frameDocument = frameDocumentText
