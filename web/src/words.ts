// Numbers in sentences.

// "1 execution", "1,000 executions".
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
