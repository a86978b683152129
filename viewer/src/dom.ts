type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** An element with attributes; functions listen to the event of their name (`onclick`). */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") out.addEventListener(name.slice(2), value);
    else if (value === true) out.setAttribute(name, "");
    else if (value !== false && value !== undefined) out.setAttribute(name, String(value));
  }
  out.append(...children);
  return out;
}

export function replace(parent: Element, ...children: (Node | string)[]): void {
  parent.replaceChildren(...children);
}

/** Hands a file to the person at the browser. */
export function save(name: string, blob: Blob): void {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
