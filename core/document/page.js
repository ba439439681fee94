/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables are sorted by the buttons that their headings become; long ones are filtered, and show their first rows until
 * all are asked for; what is to be copied has a button. It has no less-than sign and no
 * ampersand: the page is XML, too. */
'use strict';
const FILTERED = 12, SHOWN = 200;

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
  let rows = [...body.rows], words = [], most = rows.length > SHOWN ? SHOWN : Infinity, at = 0;
  const show = () => {
    let left = most;
    for (const row of rows) {
      const text = words.length ? row.textContent.toLowerCase() : '';
      row.hidden = !(left > 0 ? words.every(word => text.includes(word)) : false);
      left -= row.hidden ? 0 : 1;
    }
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
      const keys = rows.map(row => [value(row, column), row]);
      keys.sort((a, b) => order(a[0], b[0]) * (down ? -1 : 1));
      rows = keys.map(key => key[1]);
      show();
      body.replaceChildren(...rows);
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
  const more = make('button', 'more', `Show all ${rows.length} rows`);
  more.addEventListener('click', () => {
    most = Infinity;
    show();
    more.remove();
  });
  table.parentElement.after(more);
  show();
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
