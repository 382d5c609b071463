"""Requests of clients and their responses, over HTTP and over a pipe alike; every field has its limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dicezero.studio.specs import MAX_RUN_SIMULATIONS

Text = Annotated[str, Field(min_length=1, max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]
Ply = Annotated[int, Field(ge=0, le=10_000)]
CubeWord = Literal["roll", "double", "take", "drop"]
Simulations = Annotated[int, Field(ge=0, le=MAX_RUN_SIMULATIONS)]


class Question(BaseModel):
    """What a client sends: nothing is guessed, nothing unknown is ignored."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewGame(Question):
    """A table to open."""

    game: Text = "nannon"
    opponent: Text = Field(
        "club", description="a level, a run's id, or an agent such as uct(simulations=500)"
    )
    seat: Annotated[int, Field(ge=0, le=1)] = Field(0, description="which player you are; 0 moves first")
    seed: Seed = Field(0, description="of the dice and of the agent; the same seed gives the same dice")
    simulations: Simulations | None = Field(None, description="of a run's search")
    cube: bool = Field(
        False, description="play for money with a doubling cube; games whose offer in the catalogue says cube"
    )


class Move(Question):
    """A move of the person's, by its id or by its name."""

    move: Annotated[int, Field(ge=0, le=2**31)] | Annotated[str, Field(min_length=1, max_length=80)]


class CubeAnswer(Question):
    """What you do with the doubling cube: roll or double before a roll; take or drop a double."""

    answer: CubeWord


class Analyse(Question):
    """A position to be searched."""

    agent: Text = Field("uct(simulations=1000)", description="who searches; as NewGame.opponent")
    seed: Seed = 0
    simulations: Simulations | None = Field(None, description="of a run's search")
    ply: Ply | None = Field(None, description="after so many actions; by default the position on the board")


class MoveView(BaseModel):
    """A legal move."""

    action: int
    text: str


class EventView(BaseModel):
    """One thing that happened."""

    kind: Literal["roll", "move", "forced"]
    player: int = Field(description="-1 is the dice")
    action: int
    text: str
    seconds: float
    value: float | None = Field(description="what the agent thought of its position, for itself")


class GradeView(BaseModel):
    """What a move gave away, in win probability of the player who made it."""

    lost: float
    best: int = Field(description="a best move's id")
    win: float = Field(description="after the move, for the player who made it")
    mark: Literal["", "?!", "?", "??"]
    truth: Literal["solved", "engine", "search"]


class DoubleView(BaseModel):
    """A double that was offered and answered."""

    place: int = Field(description="how many actions there were, before the roll")
    player: int = Field(description="who offered it")
    taken: bool


class CubeView(BaseModel):
    """The doubling cube of a money game."""

    value: int = Field(description="what stands on it: 1 in the beginning, then 2, 4, ... 64")
    owner: int | None = Field(description="who may double next; null while it is in the centre: both may")
    asked: list[CubeWord] = Field(
        description="what you may answer now, roll or double, or take or drop; the game waits until you do. "
        "Empty where nothing is asked"
    )
    doubles: list[DoubleView] = Field(description="in their order")
    dropped: int | None = Field(description="who has dropped a double and lost the game by it; null: nobody")


class GameView(BaseModel):
    """A game as it stands, your turn or over."""

    id: str
    game: str
    opponent: str
    agent: str = Field(description="the opponent's name with all its parameters")
    seat: int
    seed: int
    actions: list[int] = Field(description="from the start, rolls included")
    board: str
    player: int = Field(description="who acts: 0, 1, -1 the dice, -4 nobody: the game is over")
    legal: list[MoveView]
    over: bool
    returns: list[float] | None = Field(description="in a money game as often as the cube showed")
    cube: CubeView | None = Field(description="null in a game without a doubling cube")
    events: list[EventView] = Field(description="what has happened since you were last asked")
    grades: dict[int, GradeView] = Field(
        description="of your moves, by their place in actions; those that are ready"
    )


class MovesView(BaseModel):
    """Your legal moves; none when the game is over."""

    legal: list[MoveView]


class AnalysisView(BaseModel):
    """What a search found: the keys of ``dicezero search --json``; values are for the player to move."""

    game: str
    agent: str
    action: int
    action_string: str
    value: float | None
    action_values: dict[str, float | None]
    visits: dict[str, int]
    nodes: int
    leaves: int
    cutoffs: int
    principal_variation: list[str]
    halving: list[list[dict[str, Any]]]
    stopped: str
    seconds: float
    details: dict[str, Any]


class PointView(BaseModel):
    """The game after one more action."""

    ply: int
    text: str
    player: int | None
    action: int | None
    win: float = Field(description="how likely player 0 is to win")
    grade: GradeView | None
    luck: float = Field(description="what the roll gave player 0, in win probability")
    stake: int = Field(description="what the doubling cube showed then; 1 without one")


class CubeTurnView(BaseModel):
    """A decision on the doubling cube, graded."""

    place: int = Field(description="how many actions there were, before the roll")
    player: int
    played: Literal["no double", "double", "take", "pass"]
    best: Literal["no double", "double", "take", "pass"]
    loss: float = Field(description="what the best would have brought more, in points")
    value: float = Field(description="of the best, in points, to who decided")


class ScaleView(BaseModel):
    """The range of returns: a share s of it is low + s (high - low)."""

    low: float
    high: float
    points: bool = Field(description="whether the game pays points; otherwise a share is a chance of winning")


class StoryView(BaseModel):
    """The game as a line of win probability, with luck and skill separated."""

    points: list[PointView]
    lost: list[float] = Field(
        description="win probability given away by the moves of player 0 and of player 1; in a money game as "
        "often as the cube showed"
    )
    luck: list[float] = Field(description="what the dice gave player 0 and player 1")
    truth: Literal["solved", "engine", "search"]
    judge: str = Field(description="who judged: perfect play, an agent, a deeper search")
    scale: ScaleView = Field(description="what shares of the range of returns stand for")
    cube: list[CubeTurnView] | None = Field(
        description="the decisions on the doubling cube; null without one"
    )
    cube_lost: list[float] = Field(description="what those of player 0 and of player 1 gave away, as lost")
    cube_judge: str = Field(description="who judged them; empty without a cube")


class ParameterView(BaseModel):
    """A parameter of a game."""

    name: str
    default: int | float | str | bool | None
    range: str


class GameOfferView(BaseModel):
    """A game that can be played."""

    name: str
    board: str
    chance: bool
    players: int
    cube: bool = Field(description="whether it may be played for money with a doubling cube")
    parameters: list[ParameterView]


class OpponentView(BaseModel):
    """An opponent in one game."""

    id: str
    title: str
    about: str
    agent: str


class CatalogView(BaseModel):
    """What can be had."""

    games: list[GameOfferView]
    opponents: list[OpponentView] = Field(description="in the game asked about")


class RunView(BaseModel):
    """A run that has been or is being trained."""

    id: str
    name: str
    preset: str
    game: str
    round: int
    target: int
    rounds: list[int] = Field(description="whose weights can be played against")
    running: bool
    damage: str | None = Field(default=None, description="what is wrong with it; null where nothing is")
    locked: str | None = Field(default=None, description="why it cannot be played against; null where it can")


class RunsView(BaseModel):
    """The runs under the studio's folders."""

    runs: list[RunView]


class MetricsView(BaseModel):
    """Lines of a run's metrics; ask for the rest from ``next`` on."""

    lines: list[dict[str, Any]]
    next: int


class ErrorView(BaseModel):
    """Why not."""

    error: str
