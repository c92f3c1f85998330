"""What tests share because it is slow to start: the server, and the tabs of the browser."""

from tests.e2e.harness import AppPage, Server

# What the page's rules for content forbid is an error, also where a script tried and fell back.
BREACHES = """
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  console.error(`forbidden by ${violatedDirective}: ${blockedURI}`))
"""


class Servers:
    """One server at a time. Modules of one script and the same options share it, so that the next
    need not measure again what one has measured; OWN_SERVER = True in a module is for its own.
    """

    def __init__(self, new_log):
        self.new_log = new_log  # () -> path
        self.kind = self.running = None

    @staticmethod
    def kind_of(module):
        """What a server must be for this module: sorts, and is equal where it can be shared."""
        options = getattr(module, "OPTIONS", {})
        own = module.__name__ if getattr(module, "OWN_SERVER", False) else ""
        return str(module.APP), sorted(options.items()), own

    def of(self, module):
        """The server for this module; the one before is ended if it is another."""
        if self.kind != self.kind_of(module):
            self.close()
            options = getattr(module, "OPTIONS", {})
            self.running = Server(module.APP, self.new_log(), **options).__enter__()
            self.kind = self.kind_of(module)
        return self.running

    def close(self):
        if self.running is not None:
            self.running.__exit__()
        self.kind = self.running = None


class Tabs:
    """One tab with a mouse and one with touch. Each test gets its tab as if it were new.

    In a tab that has shown the app before, a page takes 1.2 s of processor time, in a new one 2.9:
    its scripts are compiled already. What a test itself adds to a tab (routes, init scripts) would
    stay there: such a test needs a context of its own.
    """

    def __init__(self, browser):
        self.browser = browser
        self.kept = {}

    def open(self, url, width, scheme):
        """An AppPage on the app at `url`, on about:blank."""
        touch = width < 600
        if touch not in self.kept:
            context = self.browser.new_context(has_touch=touch)
            context.add_init_script(BREACHES)
            self.kept[touch] = context.new_page()
        tab = self.kept[touch]
        tab.set_viewport_size({"width": width, "height": 844 if touch else 900})
        tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        return AppPage(tab, url)

    def leave(self, app):
        """Empty the tab for the next test."""
        tab = app.page
        app.stop_listening()
        tab.mouse.up()
        tab.evaluate("() => { try { localStorage.clear(); sessionStorage.clear() } catch {} }")
        tab.context.clear_cookies()
        tab.goto("about:blank")

    def drop(self, app):
        """Close a tab in which something went wrong."""
        self.kept = {touch: tab for touch, tab in self.kept.items() if tab is not app.page}
        app.page.context.close()
