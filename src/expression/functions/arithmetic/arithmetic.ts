import { type AddedFunction, FunctionError } from "../function.ts";
import {
  CONSTANTS,
  FUNCTIONS,
  minus,
  type Operation,
  over,
  plus,
  type Quantity,
  remainder,
  times,
} from "./vocabulary.ts";

const MAX_ARITHMETIC_CHARACTERS = 1_000;
const MAX_ARITHMETIC_DEPTH = 50;

/** Whole numbers are exact up to this many binary digits; the largest decimal number has 1024. */
const MAX_BITS = 4_096;

/** Factorials beyond that of 170 are larger than any decimal number. */
const MAX_FACTORIAL = 170;

const INT_64 = 2n ** 63n;

/** `math.calculate(text)`. A factorial is the dearest that three characters can ask for: some 20 microseconds. */
export const arithmeticAdditions: AddedFunction[] = [
  {
    signature: "MathNamespace.calculate(string): dyn",
    run: (_math: unknown, text: string) => calculate(text),
    cost: ([, text], meter) => {
      if (typeof text === "string") meter.pay(Math.min(text.length, MAX_ARITHMETIC_CHARACTERS) * 20);
    },
  },
];

/**
 * The value of arithmetic written as text. Operators, the loosest first: `+ -`; `* / %` (the remainder has the
 * dividend's sign); signs; `^` and `**` (to the right); `!`, and `%` where no operand follows (a percentage).
 * Also read are × ÷ − and the full-width forms. Whole numbers are exact, those beyond 64 bits come as text;
 * decimal results are rounded to 15 significant digits, so that 0.1 + 0.2 is 0.3.
 * @throws FunctionError with the place of what is wrong
 */
export function calculate(text: string): bigint | number | string {
  if (text.length > MAX_ARITHMETIC_CHARACTERS)
    throw new FunctionError(`arithmetic has at most ${MAX_ARITHMETIC_CHARACTERS} characters`);
  const value = new Arithmetic(text).value();
  if (typeof value === "bigint") return value >= -INT_64 && value < INT_64 ? value : value.toString();
  if (!Number.isFinite(value)) throw new FunctionError("the result is too large");
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

const OTHER_FORMS = new Map([
  ["×", "*"],
  ["·", "*"],
  ["÷", "/"],
  ["−", "-"],
]);

/** One character for one, so that places stay. */
function plainForms(text: string): string {
  return text.replace(/[×·÷−\uFF01-\uFF5E]/g, (form) => {
    return OTHER_FORMS.get(form) ?? String.fromCharCode(form.charCodeAt(0) - 0xfe_e0);
  });
}

const SPACE = /\s*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
const NAME = /[a-z][a-z0-9]*|π/iy;
const OPERAND_FOLLOWS = /%\s*[\d.(a-zπ]/iy;

/** Reads and computes in one go, by recursive descent. */
class Arithmetic {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = plainForms(text);
  }

  value(): Quantity {
    this.#skip();
    const value = this.#sum();
    if (this.#at < this.#text.length) this.#fail("an operator is missing");
    return value;
  }

  #sum(): Quantity {
    this.#descend();
    let value = this.#product();
    for (;;) {
      if (this.#takes("+")) value = this.#combine(value, this.#product(), plus);
      else if (this.#takes("-")) value = this.#combine(value, this.#product(), minus);
      else break;
    }
    this.#depth--;
    return value;
  }

  #product(): Quantity {
    let value = this.#signed();
    for (;;) {
      if (this.#takes("*")) value = this.#combine(value, this.#signed(), times);
      else if (this.#takes("/")) value = this.#divide(value, over);
      else if (this.#takes("%")) value = this.#divide(value, remainder);
      else return value;
    }
  }

  #signed(): Quantity {
    let negative = false;
    for (;;) {
      if (this.#takes("-")) negative = !negative;
      else if (!this.#takes("+")) break;
    }
    const value = this.#power();
    return negative ? -value : value;
  }

  #power(): Quantity {
    const base = this.#postfixed();
    if (!this.#takes("**") && !this.#takes("^")) return base;
    this.#descend();
    const exponent = this.#signed();
    this.#depth--;
    if (typeof base !== "bigint" || typeof exponent !== "bigint" || exponent < 0n)
      return this.#finite(Number(base) ** Number(exponent), "such a power");
    const bits = (base < 0n ? -base : base).toString(2).length - 1;
    if (BigInt(bits) * exponent > MAX_BITS) this.#fail("the number is too large");
    return this.#bounded(base ** exponent);
  }

  #postfixed(): Quantity {
    let value = this.#primary();
    for (;;) {
      if (this.#takes("!")) value = this.#factorial(value);
      else if (this.#sees(OPERAND_FOLLOWS) === "" && this.#takes("%"))
        value = this.#quotient(value, 100n, over);
      else return value;
    }
  }

  #primary(): Quantity {
    if (this.#takes("(")) {
      const value = this.#sum();
      this.#close();
      return value;
    }
    const number = this.#sees(NUMBER);
    if (number !== "") {
      this.#at += number.length;
      this.#skip();
      return /^\d+$/.test(number) ? this.#bounded(BigInt(number)) : Number(number);
    }
    const name = this.#sees(NAME);
    if (name === "") this.#fail("a number is missing");
    return this.#named(name);
  }

  #named(name: string): Quantity {
    const start = this.#at;
    const called = FUNCTIONS.get(name.toLowerCase());
    const constant = CONSTANTS.get(name.toLowerCase());
    if (called === undefined && constant === undefined) this.#fail(`there is no ${name}`);
    this.#at += name.length;
    this.#skip();
    if (called === undefined) return constant ?? 0;
    const values = this.#values(name);
    const { least, most, apply } = called;
    if (values.length < least || values.length > most) {
      const several = most > 2 ? " or more" : most > least ? ` or ${most}` : "";
      this.#fail(`${name} takes ${least}${several} value${most > 1 ? "s" : ""}`, start);
    }
    return this.#finite(apply(...values), name, start);
  }

  /** What stands in the parentheses behind a function's name. */
  #values(name: string): Quantity[] {
    if (!this.#takes("(")) this.#fail(`${name} takes its values in parentheses`);
    const values: Quantity[] = [];
    if (this.#takes(")")) return values;
    do values.push(this.#sum());
    while (this.#takes(","));
    this.#close();
    return values;
  }

  #close(): void {
    if (!this.#takes(")")) this.#fail("a closing parenthesis is missing");
  }

  #descend(): void {
    if (++this.#depth > MAX_ARITHMETIC_DEPTH)
      this.#fail(`it is nested more than ${MAX_ARITHMETIC_DEPTH} deep`);
  }

  #combine(left: Quantity, right: Quantity, operation: Operation): Quantity {
    if (typeof left === "bigint" && typeof right === "bigint")
      return this.#bounded(operation.exact(left, right));
    return operation.decimal(Number(left), Number(right));
  }

  #divide(left: Quantity, operation: Operation): Quantity {
    const start = this.#at;
    const right = this.#signed();
    if (Number(right) === 0) this.#fail("division by zero", start);
    return this.#quotient(left, right, operation);
  }

  #quotient(left: Quantity, right: Quantity, operation: Operation): Quantity {
    const isWhole = typeof left === "bigint" && typeof right === "bigint";
    if (isWhole && (operation === remainder || left % right === 0n)) return operation.exact(left, right);
    return operation.decimal(Number(left), Number(right));
  }

  #factorial(value: Quantity): bigint {
    if (!(value >= 0 && value <= MAX_FACTORIAL) || !Number.isInteger(Number(value)))
      this.#fail(`a factorial takes a whole number from 0 to ${MAX_FACTORIAL}`);
    let product = 1n;
    for (let factor = BigInt(value); factor > 1n; factor--) product *= factor;
    return product;
  }

  #bounded(value: bigint): bigint {
    return BigInt.asIntN(MAX_BITS, value) === value ? value : this.#fail("the number is too large");
  }

  #finite(value: Quantity, what: string, at?: number): Quantity {
    if (typeof value === "bigint" || Number.isFinite(value)) return value;
    return this.#fail(`${what} has no finite value here`, at);
  }

  /** Steps over an operator, and the space behind it, where it stands here. */
  #takes(operator: string): boolean {
    if (!this.#text.startsWith(operator, this.#at)) return false;
    if (operator === "*" && this.#text[this.#at + 1] === "*") return false;
    this.#at += operator.length;
    this.#skip();
    return true;
  }

  #skip(): void {
    this.#at += this.#sees(SPACE).length;
  }

  #sees(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }

  #fail(message: string, at = this.#at): never {
    throw new FunctionError(
      `${message} at character ${at + 1} of ${JSON.stringify(this.#text.slice(0, 60))}`,
    );
  }
}
