"""The first page's pictures of games that are shown by their text."""

from dicezero.studio.page.boards import View, board_html


class Tower:
    """A position of many lines; nobody moves."""

    def __init__(self, lines):
        self.lines = lines

    def current_player(self):
        return -4

    def is_terminal(self):
        return True

    def legal_actions(self):
        return []

    def __str__(self):
        return "\n".join("|  |" for _ in range(self.lines))


def test_a_tall_text_is_small_enough_to_be_seen_whole(browser):
    # Where a game of another test is on the board, a click leads back to the pictures.
    browser.until("pictures", lambda: browser.all(".tile") or browser.clicked(".setup button", "All games"))
    browser.wait(".tile")
    measure = (
        "const box = document.querySelector('.tile .picture'), before = box.innerHTML;"
        "box.innerHTML = arguments[0]; const pre = box.querySelector('pre');"
        "const found = [pre.scrollHeight - pre.clientHeight, parseFloat(getComputedStyle(pre).fontSize)];"
        "box.innerHTML = before; return found"
    )
    for width in (1280, 380):
        browser.size(width)
        sizes = []
        for lines in (3, 11, 20):
            over, size = browser.run(measure, board_html(Tower(lines), View()))
            assert over <= 1, f"{lines} lines at {width}"
            sizes.append(size)
        assert sizes[0] > sizes[1] > sizes[2]
