/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables are sorted by the buttons that their headings become; long ones are filtered, and have as many rows as they
 * come with until all are asked for; what is to be copied has a button. It has no less-than sign and no
 * ampersand: the page is XML, too. */
'use strict';
const FILTERED = 12;

const make = (tag, name, text) => {
  const made = document.createElement(tag);
  made.className = name;
  made.append(text);
  return made;
};

const value = (row, at) => {
  const cell = row.cells[at], text = cell ? cell.textContent : '';
  const number = cell ? cell.className ? parseFloat(text.replace(/^\W+/, '')) : NaN : NaN;
  return isNaN(number) ? text : number;
};

const {compare} = new Intl.Collator();
const order = (a, b) => {
  const x = typeof a === 'number', y = typeof b === 'number';
  return x !== y ? y - x : x ? a - b : compare(a, b);
};

for (const table of document.querySelectorAll('table')) {
  const body = table.tBodies[0];
  const heads = [...table.querySelectorAll('thead th')];
  const rest = table.parentElement.nextElementSibling;
  const left = rest ? rest.tagName === 'NOSCRIPT' ? rest.textContent : '' : '';
  let rows = [...body.rows], words = [], whole = !left, most = left ? rows.length : Infinity, at = 0;
  const load = () => {
    if (!whole) rows.push(...document.createRange().createContextualFragment(left).querySelectorAll('tbody tr'));
    whole = true;
  };
  const show = () => {
    load();
    const found = rows.filter(row => words.every(word => row.textContent.toLowerCase().includes(word)));
    body.replaceChildren(...found.slice(0, most));
  };
  for (const head of rows.length > 1 ? heads : []) {
    const column = at, button = make('button', '', '');
    at += head.colSpan;
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.ariaSort === 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      load();
      const keys = rows.map(row => [value(row, column), row]);
      keys.sort((a, b) => order(a[0], b[0]) * (down ? -1 : 1));
      rows = keys.map(key => key[1]);
      show();
    });
  }
  if (FILTERED >= rows.length) continue;
  const filter = make('input', 'filter', '');
  filter.placeholder = 'Show rows with ...';
  filter.setAttribute('aria-label', 'Show only rows of the table with this text');
  filter.addEventListener('input', () => {
    words = filter.value.toLowerCase().split(' ');
    show();
  });
  table.parentElement.before(filter);
  if (most === Infinity) continue;
  const count = left.split('/tr>').length - 2 + rows.length;
  const more = make('button', 'more', `These are ${rows.length} of ${count} rows: show all`);
  more.addEventListener('click', () => {
    most = Infinity;
    show();
    more.remove();
  });
  table.parentElement.after(more);
}

for (const lines of document.querySelectorAll('pre')) {
  const text = lines.textContent, button = make('button', 'copy', 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(lines);
      button.textContent = 'Selected';
    }
  });
  lines.before(button);
}
