"""Checks that every page passes. Each returns its findings, an empty list if there are none."""
import os

from chromium import TAB

# Roles of elements to which a script may move the focus, and Tab does not.
PLACES = ("RootWebArea", "heading", "main")

with open(os.path.join(os.path.dirname(__file__), "contrast.js"), encoding="utf-8") as file:
    CONTRAST = file.read()

STRUCTURE = """
const problems = [];
const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(it => Number(it.localName[1]));
if (levels.filter(level => level === 1).length !== 1) problems.push(`expected one h1, found ${levels}`);
levels.forEach((level, i) => {
  if (level > (levels[i - 1] ?? 0) + 1) problems.push(`h${level} skips a level, in ${levels}`);
});
if (!document.documentElement.lang) problems.push('<html> has no lang');
if (!document.title) problems.push('the page has no title');
if (document.querySelectorAll('main').length !== 1) problems.push('expected one <main>');
const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
problems.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map(id => `the id ${id} is not unique`));
return problems;
"""

FOCUS = """
const element = document.activeElement;
const style = getComputedStyle(element);
const hasRing = element.matches(':focus-visible') && style.outlineStyle !== 'none'
  && parseFloat(style.outlineWidth) >= 2;
const box = element.getBoundingClientRect();
const isInView = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
return [hasRing, isInView];
"""

WIDE = """
const width = document.documentElement.clientWidth;
const problems = [];
if (document.documentElement.scrollWidth > width) {
  problems.push(`the page is ${document.documentElement.scrollWidth} px wide, in ${width} px`);
}
for (const element of document.body.querySelectorAll('*')) {
  if (!element.checkVisibility()) continue;
  const { right } = element.getBoundingClientRect();
  if (right > width + 0.5) problems.push(`<${element.localName} id="${element.id}"> ends at ${right} px`);
}
return problems;
"""


def structure(browser):
    """One h1, no level left out, a language, a title, one main, unique ids."""
    return browser.run(STRUCTURE)


def contrast(browser, text=4.5, border=3):
    """The contrast of each text, and of the borders of controls (WCAG 2.2 AA)."""
    return browser.run(CONTRAST, text, border)


def overflow(browser):
    """Elements that reach over the right edge, so that the page scrolls to the side."""
    return browser.run(WIDE)


def controls(browser, only=None):
    """The controls as (role, accessible name), in the order of the page.

    `only` is a property that they have, such as "focused". One command reads them all, because the
    page may replace them between two.
    """
    nodes = {node["nodeId"]: node for node in browser.cdp("Accessibility.getFullAXTree")["nodes"]}
    found, waiting = [], [next(iter(nodes))]
    while waiting:
        node = nodes[waiting.pop()]
        waiting += [child for child in reversed(node.get("childIds", [])) if child in nodes]
        properties = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        role = node.get("role", {}).get("value")
        if properties.get("focusable") and role not in PLACES and (not only or properties.get(only)):
            found.append((role, node.get("name", {}).get("value", "")))
    return found


def names(browser):
    """Controls without an accessible name, and names that two controls share."""
    found = controls(browser)
    return ([f"a {role} has no name" for role, name in found if not name]
            + [f"two controls are {control}" for control in set(found) if found.count(control) > 1])


def keyboard(browser):
    """Controls that Tab does not reach in the order of the page, or whose focus is invisible."""
    problems = []
    # Clears the focus, so that the next Tab goes to the first control.
    browser.run("document.activeElement.blur(); getSelection().setPosition(document.body, 0)")
    for expected in controls(browser):
        browser.press(TAB)
        found = controls(browser, "focused")
        has_ring, is_in_view = browser.run(FOCUS)
        if found != [expected]:
            problems.append(f"expected the focus on {expected}, found it on {found}")
        if not has_ring:
            problems.append(f"the focus on {found} is invisible")
        if not is_in_view:
            problems.append(f"{found} has the focus and is out of view")
    return problems
