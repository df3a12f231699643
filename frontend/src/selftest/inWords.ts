/** An answer with the engine's own words for it, which are shown and not compared. */
export class InWords {
  constructor(
    readonly answer: unknown,
    readonly words: string,
  ) {}
}
