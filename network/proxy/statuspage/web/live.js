// Keeps a view up to date, and sends forms without leaving it. All of the page
// works without this.
"use strict";
(() => {
  const said = document.getElementById("said");
  const pauseButton = document.getElementById("live");
  let source = null; // the event stream, while it is followed
  let lost = false; // the daemon does not answer
  let paused = false;

  // say puts a text where a screen reader reads it out, once.
  function say(text) {
    if (said.textContent !== text) said.textContent = text;
  }

  // parse makes a document of an answer, with times as the reader's clock shows them.
  async function parse(response) {
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    localise(fresh);
    return fresh;
  }

  function localise(root) {
    for (const t of root.querySelectorAll("time[datetime]")) t.textContent = new Date(t.dateTime).toLocaleTimeString();
  }

  // morph makes an element like another one and keeps what is the reader's: focus,
  // text that is typed, what is unfolded. Elements with an id are the same ones.
  function morph(have, want) {
    for (const { name } of [...have.attributes]) {
      if (!want.hasAttribute(name) && !own(have, name)) have.removeAttribute(name);
    }
    for (const { name, value } of [...want.attributes]) {
      if (have.getAttribute(name) !== value && !own(have, name)) have.setAttribute(name, value);
    }
    const kept = new Map();
    for (const child of have.children) if (child.id) kept.set(child.id, child);
    const ids = new Set([...want.children].map((child) => child.id));
    let at = real(have.firstChild);
    for (const next of [...want.childNodes].filter((n) => real(n) === n)) {
      while (at && at.id && !ids.has(at.id)) at = drop(at);
      const same = next.id ? kept.get(next.id) : at;
      if (!same || same.nodeName !== next.nodeName || (same.id || "") !== (next.id || "")) {
        have.insertBefore(document.importNode(next, true), at);
        continue;
      }
      if (same === at) at = real(at.nextSibling);
      else have.insertBefore(same, at);
      if (same.nodeType !== Node.ELEMENT_NODE) {
        if (same.data !== next.data) retext(same, next.data);
      } else if (!(same.matches("form") && same.querySelector("[aria-invalid], .problem"))) {
        morph(same, next); // a form with an error keeps it until it is sent again
      }
    }
    while (at) at = drop(at);
  }

  // real is a node, or the first after it, that is not only space.
  function real(node) {
    while (node && node.nodeType === Node.TEXT_NODE && !node.data.trim()) node = node.nextSibling;
    return node;
  }

  // own says that an attribute is the reader's to change.
  function own(element, name) {
    return (element.nodeName === "DETAILS" && name === "open") || (element.nodeName === "H1" && name === "tabindex");
  }

  // drop removes a node. Focus that was in it goes to the heading above.
  function drop(node) {
    const next = real(node.nextSibling);
    if (node.contains(document.activeElement)) headingOf(node).focus();
    node.remove();
    return next;
  }

  function headingOf(node) {
    const section = node.parentElement.closest("section");
    return (section && section.querySelector("h2[tabindex]")) || document.querySelector("h1");
  }

  function retext(node, text) {
    node.data = text;
    const element = node.parentElement;
    if (element.hasAttribute("data-flash")) {
      element.classList.remove("new");
      void element.offsetWidth; // so that the animation starts again
      element.classList.add("new");
    }
  }

  // refresh takes over what is different on the server. One is under way at a time.
  let refreshing = false;
  let again = false;
  async function refresh() {
    again = true;
    if (refreshing) return;
    refreshing = true;
    try {
      while (again) {
        again = false;
        const response = await fetch(location.href, { cache: "no-store" });
        const fresh = await parse(response);
        if (!response.ok) {
          const problem = fresh.getElementById("problem");
          say(problem ? "No longer here: " + problem.textContent : "The daemon refuses: " + response.status);
          leave();
          return;
        }
        for (const region of document.querySelectorAll("[data-live]")) {
          const there = fresh.getElementById(region.id);
          if (there) morph(region, there);
        }
      }
    } catch {
      // the daemon is gone: the stream says so, and when it is back
    } finally {
      refreshing = false;
    }
  }

  // follow refreshes the view when the server says that something has changed.
  function follow() {
    if (source || paused || document.hidden || !document.body.dataset.stream) return;
    source = new EventSource(document.body.dataset.stream);
    source.addEventListener("open", () => {
      if (lost) say("Connected again.");
      lost = false;
      refresh();
    });
    source.addEventListener("change", refresh);
    source.addEventListener("error", () => {
      if (!lost) say("No answer from brunt proxy. Trying again.");
      lost = true;
      if (source && source.readyState === EventSource.CLOSED) {
        leave();
        setTimeout(follow, 3000);
      }
    });
  }

  function leave() {
    if (source) source.close();
    source = null;
  }

  // send posts a form and shows the outcome in place.
  async function send(form, action, body) {
    let response;
    try {
      response = await fetch(action, { method: "POST", body });
    } catch {
      say("No answer from brunt proxy.");
      return;
    }
    if (response.redirected && new URL(response.url).pathname !== location.pathname) {
      location.assign(response.url);
      return;
    }
    const fresh = await parse(response);
    const there = form.id && fresh.getElementById(form.id);
    if (!response.ok) {
      const problem = fresh.getElementById("problem") || fresh.body;
      if (!there) return say("Not done: " + problem.textContent.trim());
      say("");
      morph(form, there);
      for (const folded of form.querySelectorAll("details")) folded.open ||= folded.querySelector("[aria-invalid]") !== null;
      (form.querySelector("[aria-invalid], .problem") || form).focus();
      return;
    }
    say(fresh.getElementById("said").textContent);
    if (there) morph(form, there);
    form.reset();
    const folded = form.closest("details");
    if (folded) {
      folded.open = false;
      folded.querySelector("summary").focus();
    }
    refresh();
  }

  // A form that is pressed twice is sent once. One that has become another one
  // meanwhile, "Enable" instead of "Disable", is sent after the first.
  const sending = new Map(); // actions under way, by form
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.getAttribute("method") !== "post") return;
    event.preventDefault();
    const action = form.getAttribute("action");
    const before = sending.get(form);
    if (before && before.action === action) return;
    const body = new URLSearchParams(new FormData(form, event.submitter)); // as it is now
    const mine = { action, over: (before ? before.over : Promise.resolve()).then(() => send(form, action, body)) };
    sending.set(form, mine);
    try {
      await mine.over;
    } finally {
      if (sending.get(form) === mine) sending.delete(form);
    }
  });

  if (pauseButton && document.body.dataset.stream) {
    pauseButton.hidden = false;
    pauseButton.addEventListener("click", () => {
      paused = !paused;
      pauseButton.setAttribute("aria-pressed", String(paused));
      if (paused) leave();
      else follow();
    });
  }
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : follow()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", follow);

  // What was said is said again now that a screen reader listens, and reloading
  // does not say it once more.
  localise(document);
  const url = new URL(location.href);
  if (url.searchParams.has("done")) {
    url.searchParams.delete("done");
    history.replaceState(null, "", url);
    const text = said.textContent;
    said.textContent = "";
    setTimeout(() => say(text), 100);
  }
  const wrong = document.querySelector("[aria-invalid], .problem");
  if (wrong) wrong.focus();
})();
