// Finds sections that have all the words; words in titles count more. INDEX: [page, anchor, title, section, text].
const field = document.getElementById("search");
const found = document.getElementById("found");
let at = -1;

function score(entry, words) {
  const title = `${entry[2]} ${entry[3]}`.toLowerCase();
  const text = entry[4].toLowerCase();
  let sum = 0;
  for (const w of words) {
    const heading = entry[3].toLowerCase();
    const here = heading === w ? 40 : heading.startsWith(w) ? 20 : title.includes(w) ? 10 : text.includes(w) ? 1 : 0;
    if (here === 0) return 0;
    sum += here;
  }
  return sum;
}

function around(text, word) {
  const i = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return (i > 0 ? "…" : "") + text.slice(i, i + 120) + (text.length > i + 120 ? "…" : "");
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = words.length === 0;
  at = -1;
  if (found.hidden) return;
  const best = INDEX.map((e) => [score(e, words), e]).filter((s) => s[0] > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
  for (const [, e] of best) {
    const link = document.createElement("a");
    link.href = ROOT + e[0] + (e[1] ? `#${e[1]}` : "");
    link.textContent = e[3] && e[3] !== e[2] ? `${e[2]}: ${e[3]}` : e[2];
    const small = document.createElement("small");
    small.textContent = around(e[4], words[0]);
    link.append(small);
    const item = document.createElement("li");
    item.append(link);
    found.append(item);
  }
  if (best.length === 0) found.append("nothing has all of these words");
}

function move(by) {
  const links = [...found.querySelectorAll("a")];
  if (links.length === 0) return;
  at = (at + by + links.length) % links.length;
  links.forEach((l, i) => l.classList.toggle("at", i === at));
  links[at].scrollIntoView({ block: "nearest" });
}

field.addEventListener("input", show);
field.addEventListener("keydown", (e) => {
  if (e.key === "ArrowDown") move(1);
  else if (e.key === "ArrowUp") move(-1);
  else if (e.key === "Enter") (found.querySelector("a.at") ?? found.querySelector("a"))?.click();
  else if (e.key === "Escape") ((field.value = ""), show());
  else return;
  e.preventDefault();
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.target instanceof HTMLInputElement) return;
  e.preventDefault();
  field.focus();
});
document.addEventListener("click", (e) => {
  if (!found.parentElement.contains(e.target)) found.hidden = true;
});
