"""Addresses of pages."""

from django.urls import path

from postspiel.web.views import front, game, games, invitation, organiser, postbox, profile

urlpatterns = [
    path("", games.home, name="home"),
    path("about/", front.about, name="about"),
    path("language/", front.language, name="language"),
    path("favicon.ico", front.favicon, name="favicon"),
    path("healthz", front.health, name="health"),
    path("profile/", profile.profile, name="profile"),
    path("profile/mails/", profile.mails, name="my-mails"),
    path("lobby/", games.lobby, name="lobby"),
    path("rules/<slug:title>/", games.rules, name="title-rules"),
    path("games/new/", games.new_game, name="new-game"),
    path("games/<slug:key>/", game.game, name="game"),
    path("games/<slug:key>/orders/", game.orders, name="game-orders"),
    path("games/<slug:key>/preview/", game.preview, name="game-preview"),
    path("games/<slug:key>/sheet/", game.sheet, name="game-sheet"),
    path("games/<slug:key>/always/", game.always, name="game-always"),
    path("games/<slug:key>/press/", game.press, name="game-press"),
    path("games/<slug:key>/join/", game.join, name="game-join"),
    path("games/<slug:key>/leave/", game.leave, name="game-leave"),
    path("games/<slug:key>/start/", game.start, name="game-start"),
    path("games/<slug:key>/cancel/", game.cancel, name="game-cancel"),
    path("games/<slug:key>/invite/", game.invite, name="game-invite"),
    path("games/<slug:key>/bot/", game.seat_bot, name="game-bot"),
    path("games/<slug:key>/clear/", game.clear_seat, name="game-clear"),
    path("games/<slug:key>/end-vote/", game.end_vote, name="game-end-vote"),
    path("games/<slug:key>/resign/", game.resign, name="game-resign"),
    path("join/<str:invitation>/", invitation.invitation, name="invitation"),
    path("organiser/", organiser.organiser, name="organiser"),
    path("organiser/<int:turn>/extend/", organiser.extend, name="organiser-extend"),
    path("organiser/<int:turn>/remind/", organiser.remind, name="organiser-remind"),
    path("postbox/", postbox.postbox, name="postbox"),
    path("postbox/<int:number>/", postbox.mail, name="postbox-mail"),
    path("postbox/<int:number>/html/", postbox.html, name="postbox-html"),
    path("postbox/<int:number>/answer/", postbox.answer, name="postbox-answer"),
    path("postbox/<int:number>/files/<int:index>/", postbox.attachment, name="postbox-file"),
]
