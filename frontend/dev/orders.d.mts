export function ordersOf(now: Date): Promise<{ id: number; status: string; total: number; placed: string }[]>
