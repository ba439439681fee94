# SPDX-License-Identifier: BSD-3-Clause
"""Does with pages of `clopt report --html` what people do, in Chromium by chromedriver: browse.py FOLDER PAGE ...
Prints what is wrong with them; exits with 77 where there is no browser that runs."""
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request

PROBE = r"""
const told = {}, find = name => document.querySelector(name), all = name => [...document.querySelectorAll(name)];
all('details').forEach(fold => fold.open || fold.querySelector('summary').click());
told.unfolded = all('details').every(fold => fold.open);
const table = all('table').find(one => one.tBodies[0].rows.length > 1);
const first = () => [...table.tBodies[0].rows].map(row => row.cells[0].textContent);
const before = first().join(), button = table.querySelector('thead button');
button.click();
told.sorted = first().join() === first().sort((a, b) => a.localeCompare(b)).join();
button.click();
told.reversed = first().join() !== before;
const filter = find('input.filter');
if (filter) {
    const rows = [...filter.nextElementSibling.querySelectorAll('tbody tr')];
    filter.value = rows[3].cells[0].textContent;
    filter.dispatchEvent(new Event('input'));
    told.filtered = rows.filter(row => row.isConnected).length < rows.length && rows[3].isConnected;
    filter.value = '';
    filter.dispatchEvent(new Event('input'));
}
const more = find('button.more');
if (more) {
    const count = more.textContent.match(/of (\d+) rows/)[1], of = more.previousElementSibling;
    more.click();
    told.all = of.querySelectorAll('tbody tr').length === Number(count);
}
told.fits = document.documentElement.scrollWidth <= innerWidth;
told.wide = all('main > *, figure > *').filter(one => one.getBoundingClientRect().right > innerWidth + 1).length === 0;
// Bars and sources are seen whole without scrolling, and sources use a window that is wide; none is too short to see but at 1.
const whole = one => one.getBoundingClientRect().width > 0 === false || one.getBoundingClientRect().right <= innerWidth + 1;
told.bars = all('td.bar, .stacked td').every(whole);
told.sources = all('.pair pre').every(one => whole(one) && one.scrollWidth <= one.clientWidth + 1);
told.room = innerWidth < 1400 || all('.pair').every(one => one.getBoundingClientRect().width > 1300);
told.scales = all('table.bars').every(one => {
    const rows = [...one.tBodies[0].rows].filter(row => row.querySelector('rect'));
    const numbers = rows.map(row => parseFloat(row.querySelector('.n').textContent.replace(/^\W+/, ''))).concat(1);
    const wide = Math.max(...numbers) > 21 * Math.min(...numbers);
    const short = row => row.querySelector('rect').getBoundingClientRect().width < 1;
    return !wide || /logarithmic/.test(one.tHead.textContent) && !rows.some((row, i) => Math.abs(Math.log(numbers[i])) > 0.2 && short(row));
});
// Bars have the color that their key names, the same one in all tables and figures; those of no optimization are gray.
const meant = new Map(all('.key').map(key => [key.querySelector('rect').getAttribute('fill'), key.textContent.trim()]));
told.colors = all('.key').every(key => meant.get(key.querySelector('rect').getAttribute('fill')) === key.textContent.trim())
    && all('table.bars').every(one => [...one.querySelectorAll('td.bar rect')].map(bar => bar.getAttribute('fill'))
        .every(fill => fill === '#777777' || [...one.querySelectorAll('.key rect')].some(key => key.getAttribute('fill') === fill)))
    && all('figure svg').every(figure => [...meant].every(([fill, name]) =>
        [...figure.querySelectorAll('text')].every(text => text.textContent.trim() !== name || figure.innerHTML.includes(fill))));
// Several devices stand side by side before there is something on each; in figures, texts are whole and apart.
const answers = all('p.answer'), before_all = one => one !== null && (one.compareDocumentPosition(answers[0]) & 4) > 0;
told.side = answers.length < 2 || (before_all(find('table')) && (!find('figure') || before_all(find('figure'))));
told.apart = true;
for (const figure of all('figure svg')) {
    const edge = figure.getBoundingClientRect(), texts = [...figure.querySelectorAll('text')].filter(one => one.textContent.trim());
    const boxes = texts.map(one => one.getBoundingClientRect());
    boxes.forEach((a, i) => {
        const cut = a.left < edge.left - 2 || a.right > edge.right + 2 || a.top < edge.top - 2 || a.bottom > edge.bottom + 2;
        const met = boxes.findIndex((b, k) => k > i && a.left + 3 < b.right && b.left + 3 < a.right && a.top + 5 < b.bottom && b.top + 5 < a.bottom);
        if (cut) told.apart = 'cut: ' + texts[i].textContent;
        if (met >= 0) told.apart = `${texts[i].textContent} covers ${texts[met].textContent}`;
    });
}
told.quiet = performance.getEntriesByType('resource').length === 0;
told.scripts = all('script').length === 1;
told.letters = all('svg text').every(text => {
    const box = text.closest('svg');
    const scale = box.getBoundingClientRect().width / box.viewBox.baseVal.width;
    return parseFloat(getComputedStyle(text).fontSize) * scale >= 12;
});
// Colors come as rgb(...), of 255, or as color(srgb ...), of 1; what is behind shines through.
const parse = text => { const [r, g, b, a = 1] = text.match(/[\d.]+(e-\d+)?/g).map(Number);
    const unit = text.startsWith('color') ? 1 : 255; return [r / unit, g / unit, b / unit, a]; };
const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
const ground = element => element ? over(parse(getComputedStyle(element).backgroundColor), ground(element.parentElement))
    : DARK ? [0, 0, 0, 1] : [1, 1, 1, 1];
const light = color => color.slice(0, 3).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
told.contrast = true;
for (const element of all('main *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || (element.closest('svg') && element.tagName !== 'text')) continue;
    const style = getComputedStyle(element), under = ground(element);
    const a = light(over(parse(element.tagName === 'text' ? style.fill : style.color), under)), b = light(under);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) told.contrast = ratio.toFixed(2) + ' of ' + element.outerHTML.slice(0, 80);
}
const lines = find('.pair pre') || find('pre');
lines.previousElementSibling.click();
return new Promise(done => setTimeout(async () => {
    told.copied = await navigator.clipboard.readText() === lines.textContent;
    done(told);
}, 100));
"""


# On paper nothing is wider than it, and what is folded is there; long sources are not.
PRINTED = r"""
const all = name => [...document.querySelectorAll(name)], right = all('main')[0].getBoundingClientRect().right;
const told = {}, shows = fold => [...fold.children].slice(1).some(one => one.getBoundingClientRect().height > 0);
told.fits = all('pre, table, figure, svg').every(one => right + 1 >= one.getBoundingClientRect().right);
told.broken = all('pre').every(one => one.clientWidth >= one.scrollWidth);
const folds = all('details').filter(fold => fold.querySelector('table, .pair'));
told.folded = folds.every(fold => shows(fold) === (fold.open || !fold.querySelector('.pair')));
told.bright = getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)';
return told;
"""


class Browser:
    """A session of chromedriver."""

    def __init__(self, folder):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        port = next((found.group(1) for found in (re.search(r"success.* on port (\d+)", line) for line in self.driver.stdout) if found), 0)
        self.path = f"http://127.0.0.1:{port}/session"
        options = {"args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder}/profile"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        try:
            self.path += "/" + self.ask("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        except (OSError, ValueError):
            self.driver.kill()
            self.driver.wait()
            raise

    def ask(self, path, body, method="POST"):
        """Sends a command of WebDriver."""
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.path + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def tell(self, command, **values):
        """Sends a command of the DevTools protocol."""
        return self.ask("/goog/cdp/execute", {"cmd": command, "params": values})

    def open(self, page, width, dark, script=True):
        """Shows a page as a window of this width does."""
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", features=[scheme])
        self.tell("Emulation.setScriptExecutionDisabled", value=not script)
        self.ask("/url", {"url": "file://" + os.path.abspath(page)})

    def close(self):
        """Ends the browser, and what drives it."""
        try:
            self.ask("", None, "DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()


def check(browser, page):
    """Lists what is wrong with a page at any width, light and dark, on paper, and without its script."""
    wrong = []
    for width in (400, 800, 1600):
        for dark in (False, True):
            browser.open(page, width, dark)
            browser.tell("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
            probe = PROBE.replace("DARK", "true" if dark else "false")
            for word, good in browser.ask("/execute/sync", {"script": probe, "args": []}).items():
                if good is not True:
                    wrong.append(f"{page} at {width}, {'dark' if dark else 'light'}: {word}: {good}")
    browser.open(page, 720, True)
    browser.tell("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    told = browser.ask("/execute/sync", {"script": PRINTED, "args": []})
    wrong += [f"{page} printed: {word}" for word, good in told.items() if good is not True]
    browser.tell("Emulation.setEmulatedMedia", media="")
    wrong += [f"{page}: {entry['message']}" for entry in browser.ask("/se/log", {"type": "browser"})]
    browser.open(page, 800, False, False)
    seen = browser.tell("DOMSnapshot.captureSnapshot", computedStyles=[])
    shown = " ".join(seen["strings"][i] for i in seen["documents"][0]["layout"]["text"] if i >= 0)
    for text in ("clopt export", "How it was measured", "initial code"):
        if text not in shown:
            wrong.append(f"{page}: without a script, there is no {text}")
    return wrong


def main():
    """Checks all pages."""
    try:
        browser = Browser(sys.argv[1])
    except (OSError, urllib.error.URLError) as error:
        print(f"no browser runs: {error}", file=sys.stderr)
        return 77
    try:
        wrong = [line for page in sys.argv[2:] for line in check(browser, page)]
    finally:
        browser.close()
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
