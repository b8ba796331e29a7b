/** Whether an error is the operating system's answer (no permission, no space, no such file). */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
