"""The words in names of fields that say what stands under them. Data."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Last words of names that hold identifiers by themselves.
ID_WORDS = _words(
    "id ids uid uuid uuids guid sku skus iban pnr ssn bic swift tin ein passport vin imei isbn ean asin ref refs reference slug"
)
#: Of those, the ones that also name what a call makes up: a slug, a branch. Under them only what holds a digit is traced, under the second set
#: only what looks like an identifier.
LOOSE_IDS = _words("reference references ref refs slug")
LOOSEST_IDS = _words("ref refs slug")
#: Last words that do so behind a noun that is numbered.
NUMBER_WORDS = _words("plate number numbers no num nr nos code codes key keys token")
NUMBERED = _words(
    "order orders invoice tracking account acct ticket reservation booking confirmation case card policy claim customer cust member "
    "reference serial transaction txn receipt shipment parcel routing contract employee patient quote return rma po issue "
    "passport license licence flight loan application purchase voucher coupon gift subscription statement payment charge "
    "refund incident request work product item user record promo seller sort swift tax vendor supplier payee merchant catalogue catalog article lot farm document"
)
#: Names in one word: `orderid`, `accountno`.
JOINED_ID = re.compile(
    r"(?:order|customer|client|account|acct|user|member|ticket|invoice|booking|payment|transaction|txn|charge|refund|shipment|tracking|"
    r"case|claim|policy|product|item|seller|vendor|merchant|employee|patient|contract|card|contact|tenant|device)(?:id|ids|no|nr|num|number|ref|uuid|key)"
)
#: Names that are made up on purpose for each call.
MADE_UP = _words(
    "idempotency correlation trace nonce span dedupe deduplication csrf boundary checksum signature password passwd passphrase salt"
)
#: Pairs of words that name such a value, too: the token by which a client tells its own requests apart.
MADE_UP_PAIRS = (("client", "token"), ("client", "request"))
#: Last words of names that say whom or what a call is about. A word under them may be a name; what holds a digit is traced.
PARTIES = _words(
    "customer client account acct user username payee payer beneficiary recipient recipients sender owner member employee patient "
    "merchant vendor seller buyer supplier tenant contact assignee requester reporter subscriber student driver passenger cardholder "
    "order ticket invoice card tracking booking reservation shipment parcel transaction txn subscription case incident claim "
    "contract quote loan voucher receipt flight vehicle listing appointment prescription consignment awb waybill iban sku"
)
#: Of those, the ones under which a small number is a place in a list or a count.
PLACED = _words(
    "order ticket card booking reservation quote voucher receipt vehicle contact parcel case listing student passenger"
)
#: Words behind such a noun that only say which of two: `account_to`.
SIDES = _words("to from a b in out source target primary secondary new old origin destination ref value")
#: Last words of names that hold where something goes: with blanks and a number in it a value is a postal address.
ADDRESS_WORDS = _words("address addresses street destination deliver delivery shipto postcode zip zipcode postal")
PLACE_WORDS = _words("line house building apt apartment unit suite floor room block")
MONEY_WORDS = _words(
    "amount amounts price total subtotal cost fee fees sum refund balance charge credit debit deposit cents fare payment tip "
    "salary budget pence paid paise money payout payouts transfer bonus reimbursement donation wage wages rent funds expense expenses payments "
    "refunds charges prices costs withdrawal instalment installment usd eur gbp jpy dollars euros"
)
#: Words in names that hold amounts only of something else.
NOT_MONEY = _words(
    "count quantity qty percent percentage pct rate number id ids type status method reason date time at on days code currency "
    "name note description points nights units weight size is has should allow auto notify tokens bytes hours minutes seconds "
    "pages items rows results records steps retries tax_rate bags baggages baggage luggage passengers guests seats rooms people persons adults "
    "children kids tickets questions users members files attempts calls requests tests lines words characters units quantity"
)
#: Words in the names of a tool's results that say that a number is an amount.
AMOUNT_WORDS = MONEY_WORDS | _words(
    "prices costs charges refunds payments credits debits deposits fares tips totals balances pricing value values gross net due owed owing "
    "outstanding tax vat gst duty premium rent wage wages income revenue expense expenses spend spent bill billed invoiced discount "
    "surcharge penalty bonus commission payout payouts transfer principal interest installment instalment mortgage quote bid offer "
    "purchase sale sales turnover margin profit allowance limit cap minor micros money cash worth funds available monetary usd eur gbp jpy "
    "inr cad aud chf amt amts refundable payable betrag summe preis gesamt saldo kosten montant prix solde importe precio prezzo bedrag prijs dollars euros pounds msrp rrp list_price retail wholesale subtotals penny pennies centimes earned donation pledge"
)
#: Words that leave no doubt that a number stands under the name.
FIRM_AMOUNTS = _words("amount amounts total subtotal price cents pence paise sum balance cost fare salary budget")
CONTACT_WORDS = _words(
    "email emails mail phone tel telephone mobile cell fax sms whatsapp recipient recipients to cc bcc address_email"
)
PHONE_WORDS = _words("phone phones tel telephone mobile cell fax sms whatsapp msisdn")
COUNTED = _words(
    "count quantity qty page size limit offset index version year month day hour minute second days hours minutes seconds age "
    "percent percentage pct rate rating score lat lon lng latitude longitude status code port nights guests seats units retries "
    "attempt attempts position rank level priority weight height width length depth radius max min threshold top step steps points stock "
    "views followers likes inventory population temperature bytes tokens pixels zoom seed temperature duration timeout ttl"
)
#: Words in names that hold times.
TIMES = _words(
    "date dates time times timestamp at on datetime since until when deadline expiry expires created updated start end from_date"
)
#: Names that say nothing by themselves: what stands above them does.
GENERIC = _words("value values amount units number items item major minor gross net figure raw val num n v x")
#: Of the names below those that may hold a web address, which is no text of the call's own.
RESOURCES = _words(
    "image images path paths file files template package packages dependency dependencies dockerfile directory folder"
)
#: And those that hold a name which a call may choose and later calls refer to.
CHOSEN = RESOURCES | _words("filename filepath branch branches tag tags label labels name names namespace")
#: Last words of names that hold text, code, or a name that the call gives: values are never traced by their shape there.
FREE_WORDS = _words(
    "body message messages note notes subject title query q search description desc comment comments content contents text summary "
    "reason reasons caption prompt instructions instruction command cmd script sql html markdown markup template path paths file files "
    "filename filepath folder directory dir pattern regex expression formula format branch branches tag tags label labels keyword keywords "
    "headline bio remark remarks explanation rationale thought thoughts question answer reply response schedule cron version model color "
    "colour font locale language lang timezone tz region zone schema context xmlns namespace name names term terms topic goal plan "
    "code snippet patch diff hash digest commit image images dockerfile package packages dependency dependencies old_string string "
    "find replace replacement placeholder example examples sample component components os build brand"
)
#: Nouns of which a word tells which kind, not which record: `status_id` is closed, `lang_id` is en.
KINDS = _words(
    "status state type kind category priority severity level gender country language lang locale timezone currency unit color colour stage "
    "tier phase method mode"
)
#: Last words of names under which a site may stand without `https://`.
SITES = _words(
    "url urls uri link links href webhook webhooks callback domain domains website endpoint host hostname ip"
)
#: Last words of names whose words tell a state or a kind.
SAYINGS = _words(
    "status state type kind category currency unit units method mode priority severity reason result outcome phase stage tier "
    "level gender country language locale role action event"
)
#: Last words of names whose values are places, settings, periods and names in code: another one than was seen is as good.
SETTINGS = _words(
    "cell cells range row column columns col coordinate coordinates square move resolution quality grade class variant option choice "
    "sprint milestone release iteration season semester quarter week chapter section lesson round variable symbol function argument "
    "parameter param field alias attribute property setting settings theme layout style shape preset profile mode slot seat test"
)
